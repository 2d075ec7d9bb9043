/**
 * Keeps the page of challenges up to date, and leads to the board where a game has come of an offer of one's own.
 */
import {byId} from "./dom.js";
import {polled} from "./polled.js";

const PERIOD_MS = 2000;

const part = byId("challenges");
const {offers: shown, mine} = part.dataset;
let sent = false;

/**
 * False: the page is left. One in whose form somebody writes is left for a game alone. A form that was sent leads on by
 * itself: accepting who asks ends the offer that was asked for.
 */
function show({offers}) {
  if (sent) return false;
  const standing = offers.map((offer) => String(offer.id));
  const gone = mine.split(" ").filter((number) => number && !standing.includes(number));
  if (standing.join(" ") === shown || (!gone.length && document.activeElement?.closest("form"))) return true;
  location.assign(gone.length ? `/challenges?ended=${gone.join("+")}` : "/challenges");
  return false;
}

document.addEventListener("submit", () => { sent = true; });
polled("/api/offers", PERIOD_MS, show);
