/**
 * Asks an address again and again while the page is visible, and hands on what has changed.
 */

const SLOWEST_MS = 30_000;

/**
 * Calls `show` with the JSON of `address` whenever it differs from the time before. Hidden pages do not ask; a server
 * that does not answer is asked ever more seldom, and none is asked again once `show` has said false.
 * @param {string | (() => string | Request)} address
 * @param {number} periodMs
 * @param {(told: any) => any} show
 * @returns {() => Promise<void>} asks at once
 */
export function polled(address, periodMs, show) {
  let tag = "", wait = periodMs, timer = 0, busy = false, ended = false;

  async function ask() {
    timer = 0;
    if (document.hidden || busy || ended) return;
    busy = true;
    try {
      const known = tag ? {headers: {"if-none-match": tag}} : {};
      const answer = await fetch(typeof address === "string" ? address : address(), known);
      if (answer.status === 200) {
        tag = answer.headers.get("etag") ?? "";
        ended = await show(await answer.json()) === false;
      }
      wait = answer.ok || answer.status === 304 ? periodMs : Math.min(2 * wait, SLOWEST_MS);
    } catch {
      wait = Math.min(2 * wait, SLOWEST_MS);
    }
    busy = false;
    again();
  }

  function again() {
    if (!timer && !document.hidden && !ended) timer = setTimeout(ask, wait * (0.9 + 0.2 * Math.random()));
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    clearTimeout(timer);
    void ask();
  });
  again();
  return ask;
}
