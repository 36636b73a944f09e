/* What every view is made of. Text reaches the page as text nodes only, never as markup. */

const FOCUSABLE = /^(button|input|select|textarea|summary)$/;
const RICH = /^(p|code|pre|strong|em|ul|ol|li|br|table|thead|tbody|tr|th|td|blockquote)$/;

/* h("p", {class: "x", click: handler}, "text", node). All that takes the focus switches JupyterLab's one-key shortcuts off. */
function h(tag, props, ...kids) {
  const node = document.createElement(tag);
  if (FOCUSABLE.test(tag) || (props && "tabindex" in props)) node.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== false && value != null) node.setAttribute(key, value === true ? "" : value);
  }
  return fill(node, kids);
}

function fill(node, ...kids) {
  node.replaceChildren(...kids.flat(9).filter((kid) => kid != null && kid !== false && kid !== "").map((kid) => (kid.nodeType ? kid : String(kid))));
  return node;
}

const div = (cls, ...kids) => h("div", { class: cls }, kids);
const strong = (...kids) => h("strong", null, kids);
const code = (text) => h("code", null, text);
const press = (text, click, props) => h("button", { type: "button", click, ...props }, text);

/* `code` in plain words. */
const ticks = (text) => String(text).split("`").map((part, n) => (n % 2 ? code(part) : part));

/* Markdown arrives as a tree of [tag, ...children] and strings; a tag that is not listed becomes its text. */
const rich = (tree) => (Array.isArray(tree) ? tree : [tree]).map((part) =>
  !Array.isArray(part) ? part : RICH.test(part[0]) ? h(part[0], null, rich(part.slice(1))) : rich(part.slice(1)));

/* say(model)("step", {n: 2}): a label with its {placeholders} filled; all strings come from Python. */
const say = (model) => (key, values = {}) =>
  String((model.get("labels") ?? {})[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

function listen(model, names, action) {
  for (const name of names) model.on(`change:${name}`, action);
  return () => { for (const name of names) model.off(`change:${name}`, action); };
}

let count = 0;
const uid = () => `cw-${Date.now().toString(36)}-${count++}`;
const disable = (node, off) => node.setAttribute("aria-disabled", String(off));
