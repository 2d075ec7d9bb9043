/**
 * Keeps the cards of boards that are played up to date: moves, clocks, results, games that begin and end.
 *
 * Only boards in sight are asked for.
 */
import {byId, draw, filled, write} from "./dom.js";
import {figures, picture} from "./draw.js";
import {face} from "./face.js";
import {lookOf} from "./looks.js";
import {polled} from "./polled.js";

const PERIOD_MS = 1000, TICK_MS = 200;

/** A result stays to be read for so long. */
const ENDED_MS = 8000;

const LAYERS = ["ground", "under", "pieces", "over"];

/** Shapes as nodes. */
function nodes(shapes) {
  return shapes.map(([name, attributes, inside]) =>
    draw(name, attributes, ...(typeof inside === "string" ? [inside] : nodes(inside))));
}

/** Adds the figures of a look that no board of this page has used yet. */
function addFigures(look) {
  const missing = figures(look).filter(([, {id}]) => !document.getElementById(String(id)));
  if (missing.length) {
    byId("main").append(draw("svg", {width: 0, height: 0, "aria-hidden": "true"}, draw("defs", {}, ...nodes(missing))));
  }
}

function drawn(look, told) {
  const {last, alarm, turned} = told;
  return picture(look, new Map(told.board), {last, alarm, turned, small: true});
}

/** An empty picture with a group for each layer. */
function canvas(view) {
  return draw("svg", {class: "board-picture", "text-anchor": "middle", viewBox: view.join(" "), "aria-hidden": "true"},
    ...LAYERS.map((name) => draw("g", {class: name})));
}

/** The list `host` of cards, which are made by `template`. */
export class Live {
  constructor(host, template = "card-template") {
    this.host = host;
    this.template = template;
    this.clocks = new Map();
    this.seen = new Set();
    this.eye = new IntersectionObserver((entries) => {
      for (const {target, isIntersecting} of entries) {
        if (isIntersecting) this.seen.add(target);
        else this.seen.delete(target);
      }
    }, {rootMargin: "100px"});
    for (const card of this.cards()) {
      this.eye.observe(card);
      const {left, running} = card.dataset;
      if (left) this.starts(card, {left: left.split(" ").map(Number), running: running === undefined ? null : Number(running)});
    }
  }

  /** The clocks of a card, as they are at this moment. */
  starts(card, clock) {
    if (clock.left) this.clocks.set(card, {...clock, at: performance.now()});
  }

  /** @returns {HTMLElement[]} */
  cards() {
    return /** @type {HTMLElement[]} */ ([...this.host.children]);
  }

  /** Table and version of each card; a board out of sight is not told. */
  known() {
    return this.cards().map((card) => [card.dataset.table, this.seen.has(card) ? card.dataset.version : "-"]);
  }

  /** The question about what has changed. @returns {string | Request} */
  address() {
    const {asks = "", most} = this.host.dataset, known = this.known().map((pair) => pair.join(":")).join(",");
    return `/api/boards?${asks}&${new URLSearchParams({most, known})}`;
  }

  async show({order, boards}) {
    const standing = new Map(this.cards().map((card) => [Number(card.dataset.table), card]));
    for (const told of boards) {
      const look = await lookOf(told.look);
      let card = standing.get(told.table);
      if (!card) {
        card = this.made(told, look);
        standing.set(told.table, card);
        this.host.append(card);
        this.eye.observe(card);
      }
      this.update(card, told, look);
    }
    const wanted = new Set(order);
    for (const [table, card] of standing) if (!wanted.has(table)) card.dataset.ended ??= String(Date.now());
    this.clear();
  }

  /** Takes games away that have ended, after a while in which their result can be read. */
  clear() {
    for (const card of this.cards()) {
      const {ended} = card.dataset, rest = card.querySelector(".outcome")?.textContent ? ENDED_MS : 0;
      if (ended === undefined || Date.now() - Number(ended) < rest) continue;
      this.eye.unobserve(card);
      this.seen.delete(card);
      this.clocks.delete(card);
      card.remove();
    }
    this.filled(this.host.children.length > 0);
  }

  /** Says where there is none that there is none. */
  filled(any) {
    byId("no-boards").hidden = any;
  }

  made(told, look) {
    addFigures(look);
    const card = filled(this.template, told);
    card.querySelector(".picture").replaceChildren(canvas(drawn(look, told).view));
    this.fill(card, "ground", drawn(look, told).ground);
    return card;
  }

  fill(card, layer, shapes) {
    card.querySelector(`.picture g.${layer}`).replaceChildren(...nodes(shapes));
  }

  update(card, told, look) {
    const shapes = drawn(look, told);
    for (const layer of LAYERS.slice(1)) this.fill(card, layer, shapes[layer]);
    card.querySelector(".holders").replaceChildren(...told.seats.map((seat) => filled("holder-template", seat)));
    for (const name of ["outcome", "standing", "unread"]) write(card.querySelector(`.${name}`), told[name] ?? "");
    card.classList.toggle("mine", told.mine === true);
    card.dataset.version = told.version;
    this.starts(card, told.clock);
    this.tick(card);
  }

  /** Shows the clocks of a card as they are now. */
  tick(card) {
    const clock = this.clocks.get(card);
    if (!clock) return;
    const gone = (performance.now() - clock.at) / 1000;
    card.querySelectorAll(".clock").forEach((shown, seat) => {
      write(shown, face(Math.max(0, clock.left[seat] - (seat === clock.running ? gone : 0))));
    });
  }

  run(periodMs = PERIOD_MS) {
    this.ask = polled(() => this.address(), periodMs, (told) => this.show(told));
    setInterval(() => {
      if (document.hidden) return;
      for (const card of this.seen) this.tick(card);
      this.clear();
    }, TICK_MS);
  }
}

/** Brings the page's list of boards to life. */
export function live() {
  new Live(byId("boards")).run();
}
