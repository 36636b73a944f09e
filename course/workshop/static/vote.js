/* The participant's page. What is being chosen stays while the phase does; a vote is sent until it is stored. */

const RETRY = 1000;
const own = h("p", { class: "mine" });
let state = {};
let drawn = -1;
let sent = 0;

function draw(now) {
  state = now;
  if (drawn !== state.step) {
    const again = drawn !== -1;
    drawn = state.step;
    sent += 1;
    unsent = false;
    rebuild();
    if (again) {
      tell(t(`phase_${state.phase}`), true);
      main.querySelector("h1")?.focus({ preventScroll: true });
      window.scrollTo(0, 0);  // the header says which vote this is
    }
  }
  mine();
}

function rebuild() {
  fill(header, phaseTitle(state), h("p", { class: "dim" }, t("you", { name: state.name })));
  const question = state.question;
  if (!question) fill(main, h("h1", { tabindex: "-1" }, t(`phase_${state.phase}`)), h("p", null, t(`wait_${state.phase}`)), state.score && score());
  else if (state.open) fill(main, ballot(), own);
  else if (state.result) {
    const votes = Object.values(state.votes);
    fill(main, stem(state), own, bars(state, votes.at(-1)?.letters), findings(state),
      state.told ? [explanation(state.told), h("h2", null, t("why_each")), reasons(state.told),
        state.told.lessons.length ? h("p", { class: "dim" }, `${t("again")}: ${state.told.lessons.join(" · ")}`) : null]
        : h("p", { class: "dim" }, t("wait_reveal")));
  } else fill(main, h("p", { class: "card" }, t(`wait_${state.phase}`)), clock(state), stem(state), own, options(state));
}

const score = () => h("p", null, t(state.score.voted === 1 ? "score_one" : "score_many", state.score), " ", state.score.voted ? t("score_right", state.score) : null);

function ballot() {
  const { options: choices, choose } = state.question;
  const cast = state.votes[state.attempt];
  const sure = h("fieldset", { class: "sure" }, h("legend", null, t("sure")), [1, 2, 3].map((level) =>
    h("label", null, h("input", { type: "radio", name: "confidence", value: level, checked: cast?.confidence === level }), t(`sure_${level}`))));
  return h("form", { submit: (event) => { event.preventDefault(); send(new FormData(event.target)); } },
    stem(state),
    h("fieldset", { class: "choices" },
      h("legend", null, chooseWords(state)),
      choices.map((option) => h("label", { class: "option" },
        h("input", { type: choose === 1 ? "radio" : "checkbox", name: "letter", value: option.letter, checked: cast?.letters.includes(option.letter) }),
        badge(option.letter), h("span", { class: "grow" }, inline(option.text))))),
    sure,
    press(t(cast ? "change" : "send"), null, { type: "submit", class: "primary" }));
}

/* What this person has done, in words. */
function mine() {
  const [first, second] = [state.votes[1], state.votes[2]];
  const button = main.querySelector("form .primary");
  if (button && state.votes[state.attempt]) button.textContent = t("change");
  const parts = [];
  if (state.open && state.votes[state.attempt]) parts.push(h("strong", null, t("stored", { letters: listed(state.votes[state.attempt].letters) })));
  if (state.attempt !== 1 && first) parts.push(t("first_vote", { letters: listed(first.letters) }));
  if (!state.open && second) parts.push(t("second_vote", { letters: listed(second.letters) }));
  if (!state.open && state.question && !first && !second) parts.push(t("no_vote"));
  if (state.verdict) parts.push(h("strong", null, state.verdict.words));
  fill(own, parts.flatMap((part, n) => (n ? [" · ", part] : [part])));
}

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function send(data) {
  const number = sent += 1;
  const confidence = data.get("confidence");
  const ballot = { step: state.step, letters: data.getAll("letter"), submission: fresh(), confidence: confidence ? Number(confidence) : null };
  tell(t("sending"));
  while (number === sent) {
    const told = await post("/vote", ballot).catch(() => ({ status: 0 }));
    if (number !== sent) return;
    unsent = told.status === 0;
    if (told.ok) return tell(t("stored", { letters: listed(ballot.letters) }), true);
    if (told.status === 401) return location.assign("/");
    if (told.status >= 400 && told.status < 500 && told.status !== 429) return tell(told.message);
    tell(told.message ?? t("not_stored"));
    await new Promise((done) => setTimeout(done, RETRY));
  }
}

follow("participant", draw, async () => {
  const { name } = await (await fetch("/seat")).json();
  if (!name) location.assign("/");
  return !name;
});
