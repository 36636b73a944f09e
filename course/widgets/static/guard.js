/* Core ipywidgets cannot switch JupyterLab's one-key shortcuts off; inside .cw-guard this does it when one takes the focus. */

function render({ el }) {
  el.style.display = "none";
  const guard = ({ target }) => target.closest?.(".cw-guard") && target.setAttribute("data-lm-suppress-shortcuts", "true");
  document.addEventListener("focusin", guard);
  return () => document.removeEventListener("focusin", guard);
}

export default { render };
