/**
 * Says in how many games it is the person's turn, or somebody has come: a number at the head of the page and in its
 * title, a mark in its icon, and a tone where sound is chosen.
 *
 * The table of the page itself counts only by its title, which the page writes. Where neither an account is logged in nor
 * a seat was ever taken, nothing is asked.
 */
import {kept, make, write} from "./dom.js";
import {seatsHeld, tickets} from "./tickets.js";

const PERIOD_MS = 30_000, SLOWEST_MS = 600_000;

const title = document.querySelector("title");
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));

const link = make("a", {class: "turns", href: "/yours", hidden: true});

let count = 0, come = 0, asked = false, wait = PERIOD_MS, timer = 0;

function draw() {
  const said = count ? `(${count}) ` : "", plain = document.title.replace(/^\(\d+\) /, "");
  if (document.title !== said + plain) document.title = said + plain;
  if (icon) icon.href = icon.href.replace(/icon(_turn)?\.svg/, count || plain.startsWith("●") ? "icon_turn.svg" : "icon.svg");
  link.hidden = !count;
  write(link, `${come ? "Your games" : "Your move"}: ${count}`);
  link.title = `${count === 1 ? "One game waits" : `${count} games wait`} for you${come ? "" : "r move"}`;
}

async function ring() {
  const [{settings}, {Sound}] = await Promise.all([import("./settings.js"), import("./sound.js")]);
  const sound = new Sound();
  sound.on = settings.sound;
  sound.play("start");
}

async function ask() {
  clearTimeout(timer);
  const held = tickets(), seats = seatsHeld();
  if (kept.get("told", seats) !== seats) void import("./notices.js");
  if (held.length || document.documentElement.dataset.account) {
    try {
      const headers = {"content-type": "application/json"}, body = JSON.stringify({tickets: held, most: 0});
      const answer = await fetch("/yours", {method: "POST", headers, body});
      if (answer.ok) {
        const {turns, here: met} = await answer.json(), before = count;
        // a page that opened its table has got the table's address meanwhile
        const here = Number(/^\/table\/(\d+)$/.exec(location.pathname)?.[1]);
        [count, come] = [[...turns, ...met], met].map((tables) => tables.filter((table) => table !== here).length);
        if (asked && count > before) void ring();
        asked = true;
        draw();
      }
      wait = answer.ok ? PERIOD_MS : Math.min(2 * wait, SLOWEST_MS);
    } catch {
      wait = Math.min(2 * wait, SLOWEST_MS);
    }
  }
  clearTimeout(timer);
  timer = setTimeout(ask, wait * (0.9 + 0.2 * Math.random()));
}

/** Begins to count; a page that comes into sight counts at once. */
export function countTurns() {
  document.querySelector(".site")?.after(link);
  if (title) new MutationObserver(draw).observe(title, {childList: true});
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void ask();
  });
  void ask();
}
