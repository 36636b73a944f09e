/* The teacher's page: every control, and what the room does not see yet. */

let state = null;
let drawn = -1;
let busy = false;
let sure = false;
const shows = () => sessionStorage.getItem("bars") !== "hidden";

const next = press("", () => act("next"), { class: "primary", "aria-keyshortcuts": "Space" });
const others = ["reveal", "reopen", "skip"].map((name) => press(t(name), () => act(name), { "data-act": name, "aria-keyshortcuts": name === "reveal" ? "r" : null }));
const ending = div("row");
const keysOn = h("input", { type: "checkbox", checked: true });
const counts = h("p", { class: "counts" });
const controls = h("section", { class: "controls", "aria-label": t("controls") },
  div("row", next, others, ending), div("row dim", h("label", { class: "keys" }, keysOn, t("keys")),
    h("a", { href: "/projector", target: "_blank", rel: "noopener" }, t("open_projector"))));

async function act(action) {
  if (busy || !state?.actions.includes(action)) return;
  busy = true;
  sure = false;
  const told = await post("/move", { action, step: state.step }).catch(() => ({ ok: false }));
  busy = false;
  if (!told.ok) tell(told.message ?? t("connection"));
}

function draw(now) {
  state = now;
  if (drawn !== state.step) {
    if (drawn !== -1) tell(t(`phase_${state.phase}`));
    drawn = state.step;
    fill(ending, endingParts());
    fill(header, phaseTitle(state), h("p", { class: "dim" }, `${t("with_code")} `, h("strong", { class: "code" }, state.room)));
    fill(main, h("h1", null, t(`phase_${state.phase}`)), controls, clock(state), counts, state.question && !isShown() && only, live, state.question && [stem(state, "h2"), notes()], people);
  }
  const last = state.phase === "explain" && state.number === state.total;
  next.textContent = t(last ? "next_last" : `next_${state.phase}`);
  next.hidden = !state.actions.includes("next");
  for (const button of others) button.hidden = !state.actions.includes(button.dataset.act);
  counts.textContent = state.question ? t("voted_of", state) : t(state.joined === 1 ? "joined_one" : "joined_many", { count: state.joined });
  toggle.textContent = t(shows() ? "hide_bars" : "show_bars");
  fill(live, state.question && results());
  fill(names, state.people.map((person) => h("li", null, person.name, person.voted && h("span", { class: "dim" }, ` ✓ ${t("has_voted")}`))));
  peopleCount.textContent = t("people", { count: state.people.length });
}

function endingParts() {
  if (!state.actions.includes("end") || (state.phase === "explain" && state.number === state.total)) return null;
  const again = (value) => () => { sure = value; fill(ending, endingParts()); ending.querySelector("button")?.focus(); };
  return sure ? [h("span", null, t("end_sure")), press(t("end_no"), again(false)), press(t("end_yes"), () => act("end"))] : press(t("end"), again(true));
}

const live = div("live");
const toggle = press("", () => {
  sessionStorage.setItem("bars", shows() ? "hidden" : "shown");
  draw(state);
});
const only = div("row", h("strong", null, t("only_you")), toggle);
const names = h("ul", { class: "names" });
const peopleCount = h("summary");
const people = h("details", null, peopleCount, names);
const notes = () => h("details", { class: "notes" }, h("summary", null, t("notes")), reasons(state.told), explanation(state.told),
  h("p", { class: "dim" }, t("item", state.told)));

const isShown = () => state.phase === "reveal" || state.phase === "explain";

function results() {
  const shown = isShown();
  const share = state.result.first.share;
  const hint = ["closed", "discuss"].includes(state.phase) ? h("p", { class: "card" }, h("strong", null, `${t("advice")}: `),
    t(`advice_${state.advice}`, { share: percent(share ?? 0) })) : null;
  return [shown || shows() ? [hint, bars(state), findings(state)] : h("p", { class: "dim" }, t("bars_hidden"))];
}

document.addEventListener("keydown", (event) => {
  if (!keysOn.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, button, summary, a, pre")) return;
  const action = event.key === " " ? "next" : event.key.toLowerCase() === "r" ? "reveal" : null;
  if (!action) return;
  event.preventDefault();
  act(action);
});

enterAs("teacher", draw);
