/* A question, its result as bars that are a table, its explanation, and the clock of a discussion. */

const percent = (share) => Math.round(share * 100);
const big = (letter) => String(letter).toUpperCase();
const listed = (letters) => letters.map(big).join(", ");
const badge = (letter) => h("span", { class: "letter" }, big(letter));

const phaseTitle = (state) => h("p", { class: "phase" },
  state.question && h("span", { class: "dim" }, t("question_of", state)), h("strong", null, t(`phase_${state.phase}`)));

const stem = (state, level = "h1") => [
  h(level, { class: "stem", tabindex: "-1" }, inline(state.question.stem)),
  state.question.exhibits.map((exhibit) => h("figure", null, exhibit.title.length ? h("figcaption", null, inline(exhibit.title)) : null,
    h("pre", { tabindex: "0" }, exhibit.body)))];

/* A tree without its paragraphs, for places that hold text only. */
const inline = (tree) => tree.flatMap((part, n) => (Array.isArray(part) && part[0] === "p" ? [n ? " " : "", ...rich(part.slice(1))] : rich([part])));

const options = (state) => h("ul", { class: "options" }, state.question.options.map((option) =>
  h("li", null, badge(option.letter), div("grow", inline(option.text)))));

const chooseWords = ({ question: { choose } }) => (choose === 1 ? t("choose_one") : t("choose_many", { count: choose }));

const rightOf = (right, voted) => (voted ? `${t("right_share")} ${t("votes", { count: right, voted, share: percent(right / voted) })}` : t("no_votes"));
const signed = (gain) => (gain == null ? "–" : gain.toFixed(2).replace("-", "−"));

function bar(kind, count, share) {
  const filled = h("i");
  filled.style.setProperty("width", `${Math.min(100, percent(share))}%`);
  return div("row", h("span", { class: `bar ${kind}`, "aria-hidden": "true" }, filled), h("span", { class: "number" }, t("bar", { count, share: percent(share) })));
}

/* The result of one or two votes, a table that says in words what its bars show. `mine`: the letters of the reader. */
function bars(state, mine = []) {
  const { first, second, key } = state.result;
  const rounds = [["first", first], ["second", second]].filter(([, round]) => round);
  const swatch = (name) => h("span", { class: `bar swatch ${name}`, "aria-hidden": "true" }, h("i"));
  return h("table", { class: "result" },
    h("caption", { class: "heard" }, t(second ? "votes_both" : "votes_caption")),
    h("thead", null, h("tr", null, rounds.map(([name]) => h("th", { scope: "col" }, swatch(name), " ", t(name))))),
    state.question.options.map((option, n) => h("tbody", { class: key.includes(option.letter) && "key" },
      h("tr", null, h("th", { scope: "rowgroup", colspan: rounds.length }, div("row", badge(option.letter), div("grow", inline(option.text),
        key.includes(option.letter) && h("strong", { class: "tag" }, ` ✓ ${t("right_answer")}`),
        mine.includes(option.letter) && h("span", { class: "tag" }, ` ● ${t("yours")}`))))),
      h("tr", null, rounds.map(([name, round]) => h("td", null, bar(name, round.bars[n].count, round.bars[n].share)))))),
    h("tfoot", null, h("tr", null,
      rounds.map(([, round]) => h("td", null, rightOf(round.right, round.voted))))));
}

function findings(state) {
  const { first, second, gain, overall, misled } = state.result;
  const sure = (second ?? first).sure;
  return div("findings",
    gain && h("p", null, gain.gain == null ? t("gain_none", gain)
      : t("gain", { people: gain.people, before: percent(gain.before), after: percent(gain.after), gain: signed(gain.gain) })),
    overall && h("p", { class: "dim" }, t("overall", { before: percent(overall.before), after: percent(overall.after) })),
    misled && h("p", null, h("strong", null, t("misled", misled)), inline(misled.text)),
    sure.length ? h("p", { class: "dim" }, t("sureness", { low: sure[0], medium: sure[1], high: sure[2] })) : null);
}

const explanation = (told) => h("section", { class: "told" }, rich(told.explanation),
  ["exam_says", "docs_say"].map((name) => told[name].length ? h("p", null, h("strong", null, `${t(name)}: `), inline(told[name])) : null));

const reasons = (told) => h("ul", { class: "reasons" }, told.reasons.map((reason) => h("li", { class: reason.right ? "right" : "wrong" },
  badge(reason.letter), div("grow", h("strong", null, `${reason.right ? "✓" : "✗"} ${t(reason.right ? "right_answer" : "wrong_answer")}: `), inline(reason.why)))));

/* The clock counts on the page from what the server said was left. */
let ticking = 0;
function clock(state) {
  clearInterval(ticking);
  if (state.left == null) return null;
  const ends = performance.now() + state.left * 1000;
  const shown = h("p", { class: "clock", role: "timer" });
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    shown.textContent = left ? t("time_left", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` }) : t("time_up");
  };
  tick();
  ticking = setInterval(tick, 500);
  return shown;
}
