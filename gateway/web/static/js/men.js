/**
 * Shows the set of chessmen that is chosen, on every page: its figures stand first in the document, under the names of
 * the usual ones, so that all boards use them. A set is a late module.
 */
const SETS = {club: () => import("./club.js"), forms: () => import("./forms.js")};

async function dress() {
  const {pieces = ""} = document.documentElement.dataset, old = document.getElementById("men");
  const made = await SETS[pieces]?.().then(({set}) => set(), () => null);
  if (pieces !== (document.documentElement.dataset.pieces ?? "")) return;
  old?.remove();
  if (made) document.body.prepend(made);
}

/** Follows the choice, which is an attribute of the document. */
export function followMen() {
  new MutationObserver(dress).observe(document.documentElement, {attributeFilter: ["data-pieces"]});
  if (document.documentElement.dataset.pieces) dress();
}
