/* The map of a trace: a column a step, an arrow from lane to lane, marks below, the scrubber under the same columns. */

const LANES = ["claude", "app", "tool"];
const SIGNS = { broken: "!", error: "✕", parallel: "∥", notice: "i" };
const kindsOf = (step) => [...new Set(step.marks.map((mark) => mark.kind))];

function scoreOf(panels, total, label, go) {
  const node = div("cw-score");
  let row = 1;
  const put = (cell, column, rows) => {
    cell.style.gridColumn = column;
    cell.style.gridRow = rows;
    cell.setAttribute("aria-hidden", "true");
    node.append(cell);
    return cell;
  };
  const columns = panels.map((panel) => {
    if (panels.length > 1) put(div("cw-name", panel.title, " ", h("span", { class: "cw-dim" }, panel.about)), "1 / -1", row++);
    LANES.forEach((lane, n) => {
      put(div("cw-lane cw-dim", label(lane)), 1, row + n);
      put(div("cw-line"), "2 / -1", row + n);
    });
    const made = panel.steps.map((step, n) => {
      const [from, to] = [LANES.indexOf(step.sender), LANES.indexOf(step.receiver)];
      const way = step.label === "Execute" ? "cw-up cw-down" : to < from ? "cw-up" : "cw-down";
      const hop = h("div", { class: `cw-hop ${way}`, click: () => go(n) }, h("i"));
      put(hop, n + 2, `${row + Math.min(from, to)} / ${row + Math.max(from, to) + 1}`);
      return { hop, kinds: kindsOf(step), sign: put(div("cw-signs"), n + 2, row + 3) };
    });
    row += 4;
    return made;
  });
  const cursor = put(div("cw-cursor"), 2, `1 / ${row}`);
  const range = put(h("input", { type: "range", class: "cw-range", min: 0, max: total - 1, "aria-label": label("scrubber"), input: () => go(Number(range.value)) }), "2 / -1", row);
  range.removeAttribute("aria-hidden");
  range.style.marginInline = `calc(50% / ${total} - 8px)`;
  node.style.gridTemplateColumns = `auto repeat(${total}, minmax(0, 1fr))`;
  const legend = div("cw-legend cw-dim");

  return {
    node: h("div", null, node, legend),
    light: (panel, steps) => columns[panels.indexOf(panel)].forEach(({ hop }, n) => hop.classList.toggle("cw-lit", steps.includes(n))),
    /* veil: from this step on the arrows would give a prediction away. */
    show: (index, veil) => {
      const marked = new Set();
      for (const made of columns) made.forEach(({ hop, sign, kinds }, n) => {
        const seen = n < veil ? kinds : [];
        seen.forEach((kind) => marked.add(kind));
        hop.classList.remove("cw-lit");
        hop.classList.toggle("cw-veil", n >= veil);
        sign.textContent = n === veil ? "?" : seen.map((kind) => SIGNS[kind]).join(" ");
      });
      fill(legend, Object.keys(SIGNS).filter((kind) => marked.has(kind)).map((kind) => h("span", null, h("b", null, SIGNS[kind]), " ", label(`mark_${kind}`))));
      cursor.style.gridColumn = index + 2;
      range.value = index;
      const step = panels[0].steps[clamp(index, panels[0].steps.length)];
      const words = index < veil ? [step.title, ...step.marks.map((mark) => mark.text)] : [];
      range.setAttribute("aria-valuetext", [label("step", { n: index + 1, total }), ...words].join(". "));
    },
  };
}
