/* A prediction: options, a button to commit, and one to go on without a guess, which always works. */

/* question: {id, ask, options, open}; open: nothing can be shown now. done(choice) with the number of the option, or -1 for none. */
function askCard(label, question, done) {
  const name = uid();
  const commit = h("button", { type: "submit", class: "cw-primary", "aria-disabled": "true" }, label("commit"));
  const form = h("form", {
    class: "cw-card",
    change: () => disable(commit, false),
    submit: (event) => {
      event.preventDefault();
      const chosen = form.querySelector("input:checked");
      if (chosen) done(Number(chosen.value));
    },
  },
  h("fieldset", null, h("legend", null, div("cw-dim", label("predict")), ticks(question.ask)),
    question.options.map((text, value) => h("label", { class: "cw-option" }, h("input", { type: "radio", name, value }), h("span", null, ticks(text))))),
  div("cw-row", commit, press(label(question.open ? "waive" : "show_me"), () => done(-1))));
  return form;
}

/* What was predicted and what came of it. `verdict` {right, answer, why} comes from Python, maybe a little later. */
function askResult(label, question, choice, verdict) {
  const right = verdict?.right;
  const tone = right == null ? "open" : right ? "right" : "wrong";
  return h("div", { class: `cw-verdict cw-${tone}`, role: "status" },
    strong(label(choice >= 0 ? tone : question.open ? "waived" : "shown")), " ",
    choice >= 0 && ticks(label("you_said", { choice: question.options[choice] })), " ",
    !right && verdict?.answer && ticks(label("it_is", { answer: verdict.answer })), " ",
    verdict?.why && ticks(verdict.why));
}
