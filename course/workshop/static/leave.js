/* The teacher's leave: the token behind # in the address is handed in once, for a cookie. Without either, ask for it. */

async function enterAs(role, draw) {
  const enter = async (token) => {
    const told = await post("/login", { token: token.trim().replace(/^.*#/, "") });
    if (told.ok) follow(role, draw, ask);
    return told;
  };
  const ask = async () => {
    if ((await (await fetch("/leave")).json()).teacher) return false;
    fill(main, h("h1", null, t("log_in_title")), form((data) => enter(data.get("token")),
      field("token", t("token"), t("token_hint"), { type: "password", autocomplete: "off" }), press(t("log_in"), null, { type: "submit", class: "primary" })));
    return true;
  };
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const told = token && await enter(token).catch(() => ({ message: t("connection") }));
  if (told && told.ok) return;
  if (!(await ask())) follow(role, draw, ask);
  else if (told) tell(told.message);
}
