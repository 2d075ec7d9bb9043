/**
 * Keeps "Your games" up to date: presents the tickets of this browser, and shows what goes on and what is over.
 *
 * Where neither an account is logged in nor a seat was ever taken, nothing is asked.
 */
import {byId, filled, kept} from "./dom.js";
import {Live} from "./live.js";
import {ofAccount, tickets} from "./tickets.js";

const PERIOD_MS = 5000;

const part = byId("yours"), lines = byId("yours-past"), held = tickets();

class Yours extends Live {
  constructor() {
    super(byId("yours-boards"), "own-template");
    /** Finished games that are wanted with the next answer. */
    this.past = held.length ? Number(part.dataset.past) : 0;
  }

  address() {
    const most = Number(part.dataset.most), known = Object.fromEntries(this.known());
    const muted = JSON.parse(kept.get("muted", "[]"));
    const body = JSON.stringify({tickets: held, known, most, past: this.past, muted});
    return new Request("/yours", {method: "POST", headers: {"content-type": "application/json"}, body});
  }

  /** False: nothing goes on that could change. */
  async show(told) {
    const {order, past, kept: own} = told, before = this.cards().length;
    await super.show(told);
    this.arrange(order);
    if (own) ofAccount(own);
    if (past) lines.replaceChildren(...past.map((line) => filled("past-template", line)));
    const ended = before > this.cards().length;
    this.past = ended ? Number(part.dataset.past) : 0;
    part.hidden = !order.length && !lines.children.length;
    if (byId("no-games")) byId("no-games").hidden = !part.hidden;
    return order.length > 0 || ended;
  }

  /** The cards in the order that was told; one that has the focus keeps it. */
  arrange(order) {
    const standing = new Map(this.cards().map((card) => [Number(card.dataset.table), card]));
    const wanted = order.map((table) => standing.get(table)).filter(Boolean);
    if (wanted.every((card, at) => card === this.host.children[at])) return;
    const focused = this.host.contains(document.activeElement) ? document.activeElement : null;
    this.host.replaceChildren(...wanted);
    focused?.focus({preventScroll: true});
  }

  filled() {}
}

/** Brings the part of the page to life. */
export function yours() {
  const own = new Yours();
  if (!held.length && part.hidden) return;
  own.run(PERIOD_MS);
  if (held.length) own.ask();
}
