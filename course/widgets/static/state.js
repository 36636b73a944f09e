/* The cursor over a trace, as pure functions: no DOM, no model. */

export const clamp = (index, total) => Math.max(0, Math.min(Number.isInteger(index) ? index : 0, total - 1));

/* True while step `index` asks for a prediction that was neither made nor waived. */
export const asking = (state, index = state.index) => {
  const id = state.asks[index];
  return id !== undefined && !(id in state.answers);
};

/* state: {index, total, asks: {step: question id}, answers: {question id: option, or -1 for "show me"}} */
export function reduce(state, action) {
  const at = (index) => ({ ...state, index: clamp(index, state.total) });
  switch (action.type) {
    case "first": return at(0);
    case "back": return at(state.index - 1);
    case "next": return asking(state) ? state : at(state.index + 1);
    case "last": return at(state.total - 1);
    case "go": return at(action.index);
    case "answer": return action.id in state.answers ? state
      : { ...state, answers: { ...state.answers, [action.id]: action.choice } };
    default: return state;
  }
}

export const keyAction = (key) => ({ __proto__: null, ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" })[key];
