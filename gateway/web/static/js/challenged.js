/**
 * Shows on the first page that somebody has offered a game to the person who is logged in.
 */
import {byId, write} from "./dom.js";
import {polled} from "./polled.js";

const PERIOD_MS = 5000;

const link = byId("challenged"), own = link.dataset.name.toLowerCase();

function show({offers}) {
  const found = offers.filter((offer) => offer.to.toLowerCase() === own);
  link.hidden = !found.length;
  if (found.length) write(link, found.length > 1 ? `${found.length} challenges wait for you` : `${found[0].by} challenges you`);
}

void polled("/api/offers", PERIOD_MS, show)();
