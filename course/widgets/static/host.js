/* A model without a kernel, for a page that stands alone. What Python would say of a prediction is said here, from `keys`. */

function host(state, keys = {}) {
  const listeners = {};
  const model = {
    get: (name) => state[name],
    set: (name, value) => {
      if (state[name] === value) return;
      state[name] = value;
      for (const action of [...(listeners[`change:${name}`] ?? [])]) action();
    },
    save_changes: () => {},
    send: () => {},
    on: (event, action) => (listeners[event] ??= []).push(action),
    off: (event, action) => { listeners[event] = (listeners[event] ?? []).filter((one) => one !== action); },
  };
  model.on("change:answers", () => {
    const said = { ...state.verdicts };
    for (const [id, choice] of Object.entries(state.answers)) {
      if (keys[id]) said[id] = { right: choice < 0 ? null : choice === keys[id].answer, answer: keys[id].text, why: keys[id].why };
    }
    model.set("verdicts", said);
  });
  return model;
}
