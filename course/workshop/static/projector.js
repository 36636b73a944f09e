/* The page for the wall: large print, the way in, no bars before the reveal. */

let drawn = -1;
const counts = h("p", { class: "counts" });

function draw(state) {
  if (drawn !== state.step) {
    if (drawn !== -1) tell(t(`phase_${state.phase}`));
    drawn = state.step;
    fill(header, phaseTitle(state), h("p", { class: "way" },
      h("span", null, t("how_to_join"), " ", h("strong", null, TOLD.address)), h("span", null, t("with_code"), " ", h("strong", { class: "code" }, state.room))));
    fill(main, view(state));
  }
  counts.textContent = !state.question ? t(state.joined === 1 ? "joined_one" : "joined_many", { count: state.joined }) : t("voted_of", state);
}

function view(state) {
  const title = h("h1", null, t(`phase_${state.phase}`));
  if (state.phase === "lobby") return [h("h1", null, t("join_title")), h("p", { class: "huge" }, TOLD.address), h("p", { class: "huge code" }, state.room), counts];
  if (state.phase === "end") return [title, h("p", null, t("wait_end"))];
  if (state.result) return [stem(state), bars(state), state.told ? explanation(state.told) : findings(state)];
  const calls = { vote1: "vote_now", vote2: "vote_again", closed: "in_hand", discuss: "wait_discuss" };
  return [stem(state), options(state), div("call", h("strong", null, t(calls[state.phase])), clock(state), counts)];
}

enterAs("projector", draw);
