/* The page for the wall: large print, the way in, no bars before the reveal. */

let drawn = -1;
const counts = h("p", { class: "counts" });

function draw(state) {
  if (drawn !== state.step) {
    if (drawn !== -1) tell(t(`phase_${state.phase}`), true);
    drawn = state.step;
    fill(header, phaseTitle(state), state.phase === "lobby" ? null : h("p", { class: "way" },
      h("span", null, t("how_to_join"), " ", h("strong", null, TOLD.address)), h("span", null, t("with_code"), " ", h("strong", { class: "code" }, state.room))));
    fill(main, view(state));
    fit();
  }
  counts.textContent = !state.question ? t(state.joined === 1 ? "joined_one" : "joined_many", { count: state.joined }) : t("voted_of", state);
}

function view(state) {
  const title = h("h1", null, t(`phase_${state.phase}`));
  if (state.phase === "lobby") return [h("h1", null, t("join_title")), h("p", { class: "huge" }, TOLD.address), h("p", { class: "huge code" }, state.room), counts];
  if (state.phase === "end") return [title, h("p", null, t("wait_end"))];
  if (state.result) return [stem(state), bars(state), state.told ? explanation(state.told) : findings(state)];
  const calls = { vote1: "vote_now", vote2: "vote_again", closed: "in_hand", discuss: "wait_discuss" };
  return [stem(state), options(state), div("call", h("strong", null, t(calls[state.phase])), state.phase.startsWith("vote") ? h("span", null, chooseWords(state)) : null, clock(state), counts)];
}

/* Nobody scrolls a wall: print shrinks until the page fits, to half its size at most. */
function fit() {
  const page = document.documentElement;
  for (let size = 100; size >= 50; size -= 5) {
    page.style.setProperty("--fit", size / 100);
    if (page.scrollHeight <= window.innerHeight) return;
  }
}

window.addEventListener("resize", fit);
enterAs("projector", draw);
