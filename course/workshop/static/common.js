/* What every page of the poll shares: words, requests, and the stream of states. */

const TOLD = JSON.parse(document.body.dataset.told);
const t = (key, values = {}) => (TOLD.words[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
const header = document.querySelector("header");
const main = document.querySelector("main");
const line = document.getElementById("line");
const LOST = 2000;
const SILENCE = 40000;
let unsent = false;

/* Say something to everybody, those who only hear the page too; `quiet` is for them alone, where the page shows it. */
const tell = (text, quiet = false) => {
  line.classList.toggle("heard", quiet);
  line.textContent = text;
};

async function post(path, data) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });
  const told = await answer.json().catch(() => ({}));
  return { ...told, ok: answer.ok, status: answer.status };
}

/* Follow the states of a role. The browser connects again by itself; where it gives up, `lost` may know better. A phone
   that slept may hold a dead connection and not know: the server says something every 15 seconds, and silence is a loss. */
function follow(role, draw, lost) {
  const source = new EventSource(`/events/${role}`);
  let heard = Date.now();
  const again = () => {
    clearInterval(watch);
    source.close();
    follow(role, draw, lost);
  };
  const watch = setInterval(() => { if (Date.now() - heard > SILENCE) again(); }, LOST);
  for (const name of ["open", "still", "message"]) source.addEventListener(name, () => { heard = Date.now(); });
  source.addEventListener("message", (message) => {
    if (document.body.classList.contains("lost")) tell(t("back"), true);
    document.body.classList.remove("lost");
    draw(JSON.parse(message.data));
  });
  source.addEventListener("error", async () => {
    document.body.classList.add("lost");
    tell(t(unsent ? "not_stored" : "connection"));
    if (source.readyState !== EventSource.CLOSED) return;
    clearInterval(watch);
    if (!lost || !(await lost().catch(() => false))) setTimeout(again, LOST);
  });
}

/* A form: its controls, and what happens to them. Says what went wrong, and keeps what was typed. */
function form(action, ...kids) {
  return h("form", { novalidate: true, submit: async (event) => {
    event.preventDefault();
    const told = await action(new FormData(event.target)).catch(() => ({ ok: false, message: t("connection") }));
    if (!told.ok) tell(told.message ?? t("connection"));
  } }, kids);
}

function field(name, label, hint, props) {
  const id = uid();
  return div("field", h("label", { for: id }, label), h("input", { id, name, ...props, "aria-describedby": hint && `${id}-hint` }),
    hint && h("p", { class: "dim", id: `${id}-hint` }, hint));
}
