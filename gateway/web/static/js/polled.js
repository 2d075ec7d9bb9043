/**
 * Asks an address again and again while the page is visible, and hands on what has changed.
 */

const SLOWEST_MS = 30_000;

/**
 * Calls `show` with the JSON of `address` whenever it differs from the time before. Hidden pages do not ask; a server
 * that does not answer is asked ever more seldom.
 * @param {string | (() => string)} address
 * @param {number} periodMs
 * @param {(told: any) => void | Promise<void>} show
 */
export function polled(address, periodMs, show) {
  let tag = "", wait = periodMs, timer = 0, busy = false;

  async function ask() {
    timer = 0;
    if (document.hidden || busy) return;
    busy = true;
    try {
      const answer = await fetch(typeof address === "string" ? address : address(), {headers: tag ? {"if-none-match": tag} : {}});
      if (answer.status === 200) {
        tag = answer.headers.get("etag") ?? "";
        await show(await answer.json());
      }
      wait = answer.ok || answer.status === 304 ? periodMs : Math.min(2 * wait, SLOWEST_MS);
    } catch {
      wait = Math.min(2 * wait, SLOWEST_MS);
    }
    busy = false;
    again();
  }

  function again() {
    if (!timer && !document.hidden) timer = setTimeout(ask, wait * (0.9 + 0.2 * Math.random()));
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    clearTimeout(timer);
    void ask();
  });
  again();
}
