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
  if (busy || !state) return;
  if (!state.actions.includes(action)) return tell(t(state.phase === "vote1" ? "close_first" : "not_now"));
  busy = true;
  sure = false;
  const told = await post("/move", { action, step: state.step }).catch(() => ({ ok: false }));
  busy = false;
  if (!told.ok) tell(told.message ?? t("connection"));
}

function draw(now) {
  state = now;
  if (drawn !== state.step) {
    if (drawn !== -1) tell(t(`phase_${state.phase}`), true);
    drawn = state.step;
    const focused = document.activeElement;
    fill(ending, endingParts());
    fill(header, phaseTitle(state), h("p", { class: "dim" }, `${t("with_code")} `, h("strong", { class: "code" }, state.room)));
    fill(main, h("h1", null, t(`phase_${state.phase}`)), controls, clock(state), counts, coming, hint, state.question && stem(state, "h2"), state.question && !isShown() && only, live, state.question && notes(), state.summary.length ? summary() : null, people);
    focused.focus();
  }
  const last = state.phase === "explain" && state.number === state.total;
  next.textContent = t(last ? "next_last" : `next_${state.phase}`);
  next.hidden = !state.actions.includes("next");
  for (const button of others) button.hidden = !state.actions.includes(button.dataset.act) || (state.phase === "vote2" && button === others[0]);
  counts.textContent = state.question ? t("voted_of", state) : t(state.joined === 1 ? "joined_one" : "joined_many", { count: state.joined });
  hint.hidden = !["closed", "discuss"].includes(state.phase);
  if (!hint.hidden) fill(hint, h("strong", null, `${t("advice")}: `), t(`advice_${state.advice}`, { share: percent(state.result.first.share ?? 0) }));
  toggle.textContent = t(shows() ? "hide_bars" : "show_bars");
  coming.hidden = !state.coming;
  coming.textContent = t("coming", { item: state.coming });
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
const coming = h("p", { class: "dim" });
const hint = h("p", { class: "card" });
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

const results = () => (isShown() || shows() ? [bars(state), findings(state)] : h("p", { class: "dim" }, t("bars_hidden")));

/* What became of every question, at the end. */
const summary = () => [h("table", { class: "summary" },
  h("caption", { class: "heard" }, t("votes_both")),
  h("thead", null, h("tr", null, ["question", "first", "second", "gain_title"].map((name) => h("th", { scope: "col" }, t(name))))),
  h("tbody", null, state.summary.map((row) => h("tr", null, h("th", { scope: "row" }, row.item),
    row.rounds.map((round) => h("td", null, rightOf(round.right, round.voted))), h("td", null, signed(row.gain)))))),
h("p", { class: "dim" }, t("kept"))];

document.addEventListener("keydown", (event) => {
  if (!keysOn.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = event.key === " " ? "next" : event.key.toLowerCase() === "r" ? "reveal" : null;
  const own = action === "next" ? "input, textarea, button, summary, a, pre" : "input:not([type=checkbox]), textarea";
  if (!action || event.target.closest(own)) return;
  event.preventDefault();
  act(action);
});

enterAs("teacher", draw);
