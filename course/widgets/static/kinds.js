/* How each kind of question is answered: kind(item, label) gives {nodes, read}; read() is the response as the grader wants it. */

const area = (label, start, name) => {
  const box = h("textarea", { rows: Math.min(24, Math.max(4, (start ?? "").split("\n").length + 2)), spellcheck: "false", "aria-label": label(name) });
  box.value = start ?? "";
  return box;
};
const chosen = (node) => [...node.querySelectorAll("input:checked")].map((input) => input.value);
const choices = (type, options) => {
  const name = uid();
  return h("div", null, options.map((option) => h("label", { class: "cw-option" }, h("input", { type, name, value: option.id }), h("div", null, rich(option.text)))));
};
const select = (label, options, props) => h("select", props, h("option", { value: "" }, label("choose")), options.map((option) => h("option", { value: option.id }, flat(option.text))));
const flat = (tree) => (Array.isArray(tree) ? tree.map((part) => (Array.isArray(part) ? flat(part.slice(1)) : part)).join("") : tree);

const KINDS = {
  single(item) {
    const node = choices("radio", item.options);
    return { nodes: [node], read: () => chosen(node)[0] ?? null };
  },
  select_n(item, label) {
    const node = choices("checkbox", item.options);
    const count = h("div", { class: "cw-dim", role: "status" });
    const tell = () => { count.textContent = label("selected", { count: chosen(node).length, n: item.select_n }); };
    node.addEventListener("change", tell);
    tell();
    return { nodes: [node, count], read: () => chosen(node) };
  },
  order(item, label) {
    const list = h("ol", { class: "cw-order" });
    const told = h("div", { class: "cw-dim", role: "status" });
    const kept = () => [...list.children].filter((row) => !row.classList.contains("cw-out"));
    for (const option of item.options) {
      const move = (by) => (event) => {
        const rows = [...list.children];
        const to = rows.indexOf(row) + by;
        if (to < 0 || to >= rows.length) return;
        list.insertBefore(row, by < 0 ? rows[to] : rows[to].nextSibling);
        event.currentTarget.focus();
        told.textContent = label("moved", { n: to + 1, total: rows.length, step: flat(option.text) });
      };
      const button = (name, click) => h("button", { type: "button", class: "cw-small", click, "aria-label": `${label(name)}: ${flat(option.text)}` }, label(name));
      const out = button("leave_out", () => {
        const name = row.classList.toggle("cw-out") ? "put_back" : "leave_out";
        out.textContent = label(name);
        out.setAttribute("aria-label", `${label(name)}: ${flat(option.text)}`);
      });
      const row = h("li", { "data-id": option.id }, h("div", { class: "cw-grow" }, rich(option.text)), h("div", { class: "cw-moves" }, button("up", move(-1)), button("down", move(1)), out));
      list.append(row);
    }
    return { nodes: [list, told], read: () => kept().map((row) => row.dataset.id) };
  },
  match(item, label) {
    const picks = item.rows.map((row) => [row.id, select(label, item.targets, { "aria-label": flat(row.text) })]);
    return {
      nodes: item.rows.map((row, n) => h("div", { class: "cw-match" }, h("div", { class: "cw-grow" }, rich(row.text)), picks[n][1])),
      read: () => Object.fromEntries(picks.filter(([, pick]) => pick.value).map(([id, pick]) => [id, pick.value])),
    };
  },
  spot_block(item, label) {
    const name = uid();
    const trace = item.messages.map((message, m) => h("div", { class: "cw-message" }, h("div", { class: "cw-dim" }, label("message", { n: m, role: message.role })),
      message.blocks.map((block, b) => h("label", { class: "cw-option" }, h("input", { type: "radio", name, value: `${m},${b}`, "aria-label": label("block", { m, b }) }), h("pre", null, block)))));
    const [blocks, rules] = [h("div", null, trace), choices("radio", item.rules)];
    return {
      nodes: [blocks, h("fieldset", { class: "cw-rules" }, h("legend", null, label("which_rule")), rules)],
      read: () => {
        const [place, rule] = [chosen(blocks)[0], chosen(rules)[0]];
        return place || rule ? { place: place?.split(",").map(Number) ?? null, rule: rule ?? "" } : null;
      },
    };
  },
  faded_code(item, label) {
    const fills = {};
    const lines = item.code.replace(/\n$/, "").split("\n").map((line) => h("div", null, line.split(/(<<[a-z0-9_-]+>>)/).map((part) => {
      const id = /^<<(.+)>>$/.exec(part)?.[1];
      if (!id) return part;
      const hole = item.holes.find((one) => one.id === id);
      fills[id] = hole?.choices.length
        ? select(label, hole.choices.map((choice) => ({ id: choice, text: choice })), { "aria-label": label("hole", { id }) })
        : h("input", { type: "text", size: 28, spellcheck: "false", autocomplete: "off", placeholder: id, "aria-label": label("hole", { id }) });
      return fills[id];
    })));
    return { nodes: [h("div", { class: "cw-code" }, lines)], read: () => Object.fromEntries(Object.entries(fills).map(([id, input]) => [id, input.value])) };
  },
  numeric(item, label) {
    const input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 12, "aria-label": label("number") });
    return { nodes: [h("div", { class: "cw-row" }, input, rich(item.unit))], read: () => input.value };
  },
  open(item, label) {
    const box = area(label, "", "your_answer");
    return { nodes: [box], read: (marks) => ({ text: box.value, points: marks }) };
  },
};
KINDS.repair_json = KINDS.write_schema = (item, label) => {
  const box = area(label, item.start, "your_json");
  return { nodes: [box], read: () => box.value };
};
