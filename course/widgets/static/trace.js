/* The trace view: one cursor over one trace, or over two side by side. Every step is in the model, so no kernel is needed. */

const list = (value) => (Array.isArray(value) ? value.filter(Boolean) : []);
/* A step as an older notebook may have saved it, with what is missing filled in. */
const whole = (step) => ({ ...step, raw: String(step.raw), blocks: list(step.blocks), marks: list(step.marks), tools: list(step.tools), timing: list(step.timing) });
const LABELS = ["Offer", "Ask", "Execute", "Return", "Continue"];

function render({ model, el }) {
  const label = say(model);
  let panels, state, root, buttons, score, views;

  const read = () => {
    const asks = Object.fromEntries((panels[0]?.asks ?? []).map((ask) => [ask.step, ask.id]));
    const total = Math.max(1, ...panels.map((panel) => panel.steps.length));
    state = { total, asks, answers: model.get("answers") ?? {}, index: clamp(model.get("index"), total) };
  };

  const act = (action) => {
    const next = reduce(state, action);
    if (next.index === state.index && next.answers === state.answers) return;
    model.set("index", next.index);
    model.set("answers", next.answers);
    model.save_changes();
  };
  const go = (index) => act({ type: "go", index });

  const keydown = (event) => {
    const type = keyAction(event.key);
    if (!type || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.matches("input,select,textarea")) return;
    event.preventDefault();
    event.stopPropagation();
    act({ type });
  };

  const build = () => {
    panels = list(model.get("panels")).filter((panel) => list(panel.steps).length).map((panel) => ({ ...panel, steps: panel.steps.map(whole) }));
    read();
    if (!panels.length) return fill(el, div("cw", label("empty")));
    const arrow = (sign) => sign && h("span", { "aria-hidden": "true" }, sign);
    const button = (type, before, after) => press([arrow(before), label(type), arrow(after)], () => act({ type }), { "data-act": type, class: type === "next" && "cw-primary" });
    buttons = { first: button("first", "« "), back: button("back", "‹ "), next: button("next", "", " ›"), last: button("last", "", " »") };
    score = scoreOf(panels, state.total, label, go);
    views = panels.map(panelView);
    root = h("div", { class: "cw cw-trace", role: "group", tabindex: "-1", "aria-label": label("region", { title: panels[0].title }), keydown },
      panels.length < 2 && div("cw-title", panels[0].title, " ", h("span", { class: "cw-dim" }, panels[0].about)),
      div("cw-row", Object.values(buttons), h("span", { class: "cw-keys cw-dim" }, label("keys"))),
      score.node,
      div(`cw-panels ${panels.length > 1 ? "cw-pair" : ""}`, views.map((view) => view.node)));
    fill(el, root);
    show();
  };

  const show = () => {
    if (!panels.length) return;
    const { index, total, asks } = state;
    const focus = root.getRootNode().activeElement;
    const inside = root.contains(focus);
    disable(buttons.first, index === 0);
    disable(buttons.back, index === 0);
    disable(buttons.next, index === total - 1 || asking(state));
    disable(buttons.last, index === total - 1);
    score.show(index, Math.min(...Object.keys(asks).map(Number).filter((step) => step >= index && asking(state, step)), Infinity));
    for (const view of views) view.show(index);
    root.dataset.step = index + 1;
    if (inside && !focus.isConnected) root.focus({ preventScroll: true });
  };

  function panelView(panel) {
    const head = h("div", { class: "cw-head", role: "status" });
    const slot = h("div");
    const words = div("cw-words");
    const pre = h("pre", { tabindex: "0", role: "group" });
    const caption = h("summary");
    const copy = press(label("copy"), () => copyText(shown.raw, pre, copy), { class: "cw-small" });
    const body = div("cw-two", words, h("details", { class: "cw-raw", open: panels.length < 2 }, caption, copy, pre));
    const pairs = pairsOf(panel);
    let shown;

    const block = (one) => {
      const places = pairs[one.badge] ?? [];
      const goal = (one.pairing === "call" ? places.find((place) => place.pairing === "result" && !place.runs) : places.find((place) => place.pairing === "call"))?.step;
      const partners = () => words.querySelectorAll(`[data-pair="${one.badge}"]`);
      return blockOf(label, one, goal, () => { go(goal); partners()[0]?.querySelector("button")?.focus(); }, (on) => {
        for (const node of partners()) node.classList.toggle("cw-lit", on);
        score.light(panel, on ? places.map((place) => place.step) : []);
      });
    };

    const draw = (index) => {
      const at = clamp(index, panel.steps.length);
      const step = shown = panel.steps[at];
      const ask = panel === panels[0] && panel.asks?.find((one) => one.step === at);
      const held = Boolean(ask) && asking(state, at);
      const place = label("step", { n: at + 1, total: panel.steps.length });
      fill(slot, held ? askCard(label, ask, (choice) => act({ type: "answer", id: ask.id, choice }))
        : ask && askResult(label, ask, state.answers[ask.id], (model.get("verdicts") ?? {})[ask.id]));
      body.hidden = held;
      const name = panels.length > 1 && div("cw-name", panel.title);
      if (held) return fill(head, name, div("cw-dim", place));
      fill(head, name,
        h("ol", { class: "cw-rail cw-dim", "aria-hidden": "true" }, LABELS.map((one) => h("li", { class: one === step.label && "cw-on" }, label(one)))),
        div("cw-dim", place, h("span", { class: "cw-heard" }, ` · ${label(step.label)}`), ` · ${label(step.sender)} → ${label(step.receiver)}`, index > at && ` · ${label("ended")}`),
        div("cw-big", step.title),
        div("", ticks(step.words)),
        step.marks.map((mark) => div(`cw-mark cw-m-${mark.kind}`, strong(`${SIGNS[mark.kind]} ${label(`mark_${mark.kind}`)}: `), ticks(mark.text))));
      fill(words, step.blocks.length > 0 && div("cw-cap", step.caption), step.blocks.map(block),
        step.tools.length > 0 && toolsOf(label, step.tools), step.timing.length > 1 && step.timing.some((run) => run.ended > run.started) && timesOf(label, step.timing), step.tokens > 0 && tokensOf(label, panel.steps, at));
      fill(caption, label(`raw_${step.travels}`));
      pre.setAttribute("aria-label", label("raw_of", { n: at + 1 }));
      const lines = step.raw.split("\n");
      const [from, to] = step.fresh ?? [0, 0];
      const old = (some) => h("span", { class: "cw-dim" }, some.join("\n"));
      fill(pre, to > from ? [old([...lines.slice(0, from), ""]), h("mark", null, lines.slice(from, to).join("\n")), old(lines.slice(to))] : step.raw);
      const fresh = pre.querySelector("mark");
      requestAnimationFrame(() => { pre.scrollTop = fresh ? fresh.offsetTop - 20 : 0; });
    };

    return {
      node: div("cw-panel", head, slot, body),
      show: (index) => {
        try {
          draw(index);
        } catch (error) {
          fill(head, label("unreadable"));
          fill(words, String(error));
          fill(pre, JSON.stringify(shown, null, 2));
        }
      },
    };
  }

  const stop = [listen(model, ["panels", "labels"], build), listen(model, ["index", "answers", "verdicts"], () => { read(); show(); })];
  build();
  return () => stop.forEach((off) => off());
}

async function copyText(text, pre, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = `${before} ✓`;
  } catch {
    getSelection().selectAllChildren(pre);
    button.textContent = "Ctrl+C";
  }
  setTimeout(() => { button.textContent = before; }, 2000);
}

export default { render };
