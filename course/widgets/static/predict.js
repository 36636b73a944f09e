/* A prediction on its own. */

function render({ model, el }) {
  const label = say(model);
  const show = () => {
    const question = model.get("question");
    const choice = model.get("choice");
    const open = choice == null;
    const verdict = model.get("verdict");
    const known = verdict && Object.keys(verdict).length ? verdict : null;
    el.replaceChildren(h("div", { class: "cw" }, open
      ? askCard(label, question, (picked) => { model.set("choice", picked); model.save_changes(); })
      : [h("div", null, h("strong", null, ticks(question.ask))), askResult(label, question, choice, known)]));
  };
  const stop = listen(model, ["question", "choice", "verdict", "labels"], show);
  show();
  return stop;
}

export default { render };
