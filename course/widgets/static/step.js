/* One step in plain words: its blocks, the tools on offer, when calls ran, what it took in tokens. */

const kindOf = (block) => (block.is_error || block.pairing === "orphan" ? "error"
  : /tool_result$/.test(block.kind) ? "result" : /tool_use$/.test(block.kind) ? "call" : /thinking$/.test(block.kind) ? "thinking" : "text");

/* Where the blocks of each pair stand: {badge: [{step, pairing, runs}]}. */
function pairsOf(panel) {
  const pairs = {};
  panel.steps.forEach((step, n) => step.blocks.forEach((block) => {
    if (block.badge != null) (pairs[block.badge] ??= []).push({ step: n, pairing: block.pairing, runs: step.label === "Execute" });
  }));
  return pairs;
}

/* goal: the step of the block's partner, if it has one. jump(), light(on) act on the pair. */
function blockOf(label, block, goal, jump, light) {
  const lit = (on) => () => light(on);
  const badge = block.badge != null && (goal == null ? h("span", { class: "cw-badge cw-alone" }, block.badge)
    : press(block.badge, jump, { class: "cw-badge", title: label("goto", { n: goal + 1 }), "aria-label": label(`pair_${block.pairing}`, { badge: block.badge, n: goal + 1 }),
      focus: lit(true), blur: lit(false), pointerenter: lit(true), pointerleave: lit(false) }));
  const alone = block.pairing === "unanswered" || block.pairing === "orphan";
  return h("div", { class: `cw-block cw-k-${kindOf(block)}${block.echo ? " cw-echo" : ""}${block.broken ? " cw-broken" : ""}`, "data-pair": block.badge },
    div("cw-meta", badge, code(block.kind), h("span", { class: "cw-dim" }, label(`role_${block.role}`), block.echo && ` · ${label("echo")}`),
      block.is_error && strong("is_error"), block.broken && strong(`${SIGNS.broken} ${label("broken_here")}`), alone && strong(label(block.pairing)),
      block.id && h("code", { class: "cw-id", title: block.id }, block.id)),
    div("cw-text", block.words),
    block.notice && div("cw-notice", ticks(block.notice)));
}

function toolsOf(label, tools) {
  const chosen = tools.filter((tool) => tool.chosen).map((tool) => `${tool.number} ${tool.name}`).join(", ");
  return h("details", { class: "cw-tools", open: tools.length <= 4 },
    h("summary", null, label("tools", { count: tools.length }), chosen && ` · ${label("chosen")}: ${chosen}`),
    h("ol", null, tools.map((tool) => h("li", { value: tool.number }, code(tool.name),
      tool.chosen && strong(` ✓ ${label("chosen")}`), tool.deferred && ` (${label("deferred")})`, div("cw-dim", tool.description)))));
}

const seconds = (value) => (value < 1 ? `${+(value * 1000).toPrecision(3)} ms` : `${+value.toPrecision(3)} s`);

/* The timeline and its numbers, in one table. */
function timesOf(label, timing) {
  const start = Math.min(...timing.map((run) => run.started));
  const span = Math.max(...timing.map((run) => run.ended)) - start || 1;
  return h("table", null, h("caption", null, label("times")),
    h("thead", null, h("tr", null, ["pair", "call", "start", "took", "bar"].map((name) => h("th", { scope: "col" }, label(`times_${name}`))))),
    h("tbody", null, timing.map((run) => {
      const bar = h("i");
      bar.style.marginLeft = `${(98 * (run.started - start)) / span}%`;
      bar.style.width = `${Math.max(2, (98 * (run.ended - run.started)) / span)}%`;
      return h("tr", null, [run.badge, code(run.name), seconds(run.started - start), seconds(run.ended - run.started)].map((cell) => h("td", null, cell)), h("td", { class: "cw-bars" }, bar));
    })));
}

function tokensOf(label, steps, at) {
  const sum = (some) => some.reduce((total, step) => total + step.tokens, 0);
  const [before, here, all] = [sum(steps.slice(0, at)), steps[at].tokens, sum(steps) || 1];
  const meter = h("div", { class: "cw-meter", "aria-hidden": "true" }, h("i"), h("b"));
  meter.children[0].style.width = `${(100 * before) / all}%`;
  meter.children[1].style.width = `${(100 * here) / all}%`;
  return div("cw-cap", label(steps[at].counted ? "tokens_counted" : "tokens_estimate", { count: here, sum: before + here }), meter);
}
