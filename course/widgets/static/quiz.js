/* The quiz view. It knows the question; whether an answer is right, only Python knows until the answer is given. */

const SLOW = 4000;

function render({ model, el }) {
  const label = say(model);
  let form, key, waiting;

  const send = (command, more) => model.send({ do: command, item: model.get("question").item.id, ...more });
  const show = () => {
    const q = model.get("question") ?? {};
    clearTimeout(waiting);
    if (!q.item) return el.replaceChildren(h("div", { class: "cw cw-quiz" }, summary(q.summary ?? {})));
    const now = `${q.attempt}/${q.item.id}`;
    if (now !== key) {
      const inside = el.contains(el.getRootNode().activeElement);
      form = build(q);
      el.replaceChildren(form.node);
      if (inside) form.heading.focus();
      key = now;
    }
    form.show(q);
  };

  function build(q) {
    const { item } = q;
    const answer = KINDS[item.kind](item, label);
    const sure = h("fieldset", { class: "cw-sure" }, h("legend", null, label("sure")), [1, 2, 3].map((n) =>
      h("label", null, h("input", { type: "radio", name: "sure", value: n }), label(`sure_${n}`))));
    const [hints, told, extra] = ["div", "div", "div"].map((tag) => h(tag));
    told.setAttribute("role", "status");
    const main = h("button", { type: "submit", class: "cw-primary" });
    const button = (name, click) => h("button", { type: "button", click }, label(name));
    const hint = button("hint", () => hint.getAttribute("aria-disabled") !== "true" && send("hint"));
    const flag = button("flag", () => send("flag", { on: flag.getAttribute("aria-pressed") !== "true" }));
    const skip = button("skip", () => send("next"));
    const heading = h("div", { class: "cw-dim", tabindex: "-1" },
      [label("question", { n: q.position, total: q.total }), item.kind_words, ...q.badges, q.why].filter(Boolean).join(" · "));
    const note = h("textarea", { rows: 2, "aria-label": label("note") });
    note.value = q.note ?? "";
    const issue = h("pre", { tabindex: "0", role: "group", "aria-label": label("issue"), hidden: true });
    const entry = h("fieldset", null, h("legend", { class: "cw-stem" }, rich(item.stem)),
      item.exhibits.map((one) => h("figure", null, h("figcaption", null, rich(one.title)), h("pre", null, one.body))), answer.nodes);
    let done = false;

    const submit = (event) => {
      event.preventDefault();
      if (done) return send("next");
      const marks = extra.childElementCount ? chosen(extra) : null;
      send("answer", { response: answer.read(marks), confidence: Number(chosen(sure)[0]) || null });
      told.replaceChildren(label("checking"));
      waiting = setTimeout(() => told.replaceChildren(label("no_kernel")), SLOW);
    };
    const node = h("form", { class: "cw cw-quiz", submit,
      keydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.stopPropagation(); submit(event); } } },
    heading, entry, extra, hints, sure, h("div", { class: "cw-row" }, main, hint, skip, flag), told,
    h("details", null, h("summary", null, label("more")), note,
      h("div", { class: "cw-row" }, button("save_note", () => send("note", { text: note.value })), button("report", () => send("report", { text: note.value }))), issue));

    return {
      node, heading,
      show: (q) => {
        const back = q.feedback;
        done = Boolean(back?.done) || q.state === "answered";
        main.textContent = label(done ? "next" : "answer");
        entry.disabled = sure.disabled = done;
        sure.hidden = q.later === true;
        skip.hidden = done;
        const none = q.hints_left === 0;
        if (none && hint.getRootNode().activeElement === hint) main.focus();
        hint.hidden = none;
        hint.setAttribute("aria-disabled", String(done));
        hint.textContent = label("hint", { left: q.hints_left });
        flag.setAttribute("aria-pressed", String(q.flagged));
        hints.replaceChildren(...q.hints.map((one, n) => h("div", { class: "cw-verdict cw-open", role: "status" }, h("strong", null, label("hint_n", { n: n + 1 })), " ", rich(one))));
        if (done) extra.replaceChildren();
        else if (back?.verdict === "mark" && !extra.childElementCount) {
          extra.append(...back.parts.filter((part) => part.role !== "check").map((part) => h("div", null, h("strong", null, part.heading), rich(part.text))),
            choices("checkbox", back.parts.filter((part) => part.role === "check").map((part) => ({ id: part.ref, text: part.label }))));
        }
        issue.hidden = !q.report;
        issue.textContent = q.report ?? "";
        told.replaceChildren(...(back ? [verdict(back)] : []));
      },
    };
  }

  /* In the order in which it helps: the verdict in words, why the choice fails, why the key holds, where to read again. */
  function verdict(back) {
    const tone = back.verdict === "correct" ? "right" : back.done && back.verdict !== "kept" ? "wrong" : "open";
    const line = (name, tree) => flat(tree ?? "") && div("cw-line", name && h("strong", null, label(name), " "), rich(tree));
    return h("div", { class: `cw-verdict cw-${tone}` }, h("div", { class: "cw-big" }, back.words),
      back.verdict !== "mark" && back.parts.map((part) => h("div", { class: "cw-part" }, h("div", { class: "cw-dim" }, part.heading), h("div", null, rich(part.label)), h("div", null, rich(part.text)))),
      line("", back.explanation), line("exam_says", back.exam_says), line("docs_say", back.docs_say),
      back.misconceptions.map((one) => line("misconception", one.text)), back.lessons.map((one) => line("read", one.words)),
      line("", back.again), back.sources.map((source) => h("div", { class: "cw-dim" }, label("source"), " ", source)), line("", back.notice));
  }

  function summary(sum) {
    return [h("div", { class: "cw-big", role: "status" }, label("done")), sum.total > 0 && h("p", null, label("score", { right: sum.right, total: sum.total })),
      sum.missed?.length > 0 && [h("p", null, label("again")), h("ul", null, [...new Set(sum.missed.flatMap((one) => one.lessons).map((one) => one.words))].map((words) => h("li", null, words)))]];
  }

  const stop = listen(model, ["question", "labels"], show);
  show();
  return () => { clearTimeout(waiting); stop(); };
}

export default { render };
