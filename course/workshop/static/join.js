/* The page to come in: room code and pseudonym. */

const come = async (data) => {
  const told = await post("/join", { code: data.get("code"), name: data.get("name") });
  if (told.ok) location.assign("/vote");
  return told;
};

fill(main, h("h1", null, t("join_title")), form(come,
  field("code", t("room_code"), "", { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "6", class: "code", required: true, value: location.hash.slice(1, 7).toUpperCase() }),
  field("name", t("name"), t("name_hint"), { autocomplete: "off", maxlength: "24", required: true }),
  press(t("join"), null, { type: "submit", class: "primary" })));

const { name } = await (await fetch("/seat")).json();
if (name) {
  main.prepend(h("p", { class: "card" }, t("joined_as", { name }), " ", h("a", { href: "/vote" }, t("go_on"))));
}
