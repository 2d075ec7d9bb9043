/**
 * Keeps the page of challenges up to date, and leads to the board where a game has come of an offer of one's own.
 */
import {byId} from "./dom.js";
import {polled} from "./polled.js";

const PERIOD_MS = 2000;

const part = byId("challenges");
const {offers: shown, mine} = part.dataset;

/** False: the page is left. One in whose form somebody writes is left for a game alone. */
function show({offers}) {
  const standing = offers.map((offer) => String(offer.id));
  const gone = mine.split(" ").filter((number) => number && !standing.includes(number));
  if (standing.join(" ") === shown || (!gone.length && document.activeElement?.closest("form"))) return true;
  location.assign(gone.length ? `/challenges?ended=${gone.join("+")}` : "/challenges");
  return false;
}

polled("/api/offers", PERIOD_MS, show);
