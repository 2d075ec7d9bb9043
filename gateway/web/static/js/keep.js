/**
 * Hands the page to the service worker as it was last seen: the first page, one's games, and tables, whenever the page
 * is hidden or left; shows the chosen men. The worker is registered for those who have a name or a game in this browser, or the page as an app.
 */
import {followMen} from "./men.js";
import {registered} from "./register.js";
import {tickets} from "./tickets.js";

const KEPT = /^\/(yours|table\/\d+)?$/;

const {dataset} = document.documentElement;
const who = `${dataset.account ?? ""}/${dataset.guest ?? ""}`;
const workers = navigator.serviceWorker;

followMen();

function handOver() {
  const page = `<!doctype html>${document.documentElement.outerHTML}`;
  if (KEPT.test(location.pathname)) workers.controller?.postMessage({who, path: location.pathname, page});
}

if (workers) {
  workers.ready.then(({active}) => active.postMessage({who}));
  addEventListener("beforeunload", handOver);
  addEventListener("visibilitychange", () => document.hidden && handOver());
  if (who !== "/" || tickets().length || matchMedia("(display-mode: standalone)").matches) {
    registered().catch((error) => console.warn(`no service worker: ${error}`));
  }
}
