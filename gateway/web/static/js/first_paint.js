/**
 * Shows the page as this browser keeps it, before anything is painted: where no account is logged in, whose choices the
 * server has written into the document. No module, for those wait until the page is read.
 */
for (const name of ["theme", "board", "pieces"]) {
  try {
    const chosen = localStorage.getItem(`boardgate.${name}`);
    if (chosen) document.documentElement.dataset[name] = chosen;
  } catch {
    // A browser that forbids it keeps nothing.
  }
}
