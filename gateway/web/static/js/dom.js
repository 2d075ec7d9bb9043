/**
 * Builds nodes: pages make no markup from text, so whatever players write stays text.
 */

/** The element of that id; the page has it. @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * A new element: `make("button", {class: "button", onclick: f}, "Accept")`. Functions are listeners, true sets an
 * attribute, false and null leave it out.
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * A copy of the page's template `id`: `{name}` in its texts and attributes is the value of that name, "" without one, and
 * a value that is true is a class of it. The server draws with the same template. @returns {any}
 */
export function filled(id, values) {
  const copy = document.importNode(byId(id).content.firstElementChild, true);
  const put = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const part of [...element.attributes, ...element.childNodes]) if (part.nodeValue) part.nodeValue = put(part.nodeValue);
  }
  for (const [name, value] of Object.entries(values)) if (value === true) copy.classList.add(name);
  return copy;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[name] = value;
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** What the children that `renew` shows were made as; some change afterwards, as clocks do. @type {WeakMap<Element, string>} */
const madeAs = new WeakMap();

/**
 * Shows these children in `host`. Those that are made as before stay, with their focus, and their buttons do what the new
 * ones would.
 */
export function renew(host, children) {
  let at = 0;
  for (const child of children) {
    const form = child.outerHTML, rest = [...host.children].slice(at);
    const same = rest.findIndex((one) => one === child || madeAs.get(one) === form);
    if (same < 0) {
      madeAs.set(child, form);
      host.insertBefore(child, rest[0] ?? null);
    } else {
      const pressed = buttons(child);
      buttons(rest[same]).forEach((one, number) => { one.onclick = pressed[number].onclick; });
      for (const gone of rest.slice(0, same)) gone.remove();
    }
    at += 1;
  }
  for (const gone of [...host.children].slice(at)) gone.remove();
}

function buttons(element) {
  return element.matches("button") ? [element] : [...element.querySelectorAll("button")];
}

/** Sets a text only where it differs, so that nothing is laid out or read again for nothing. */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Keeps a choice in this browser; a browser that forbids it forgets. */
export const kept = {
  get(name, usual = null) {
    try {
      return localStorage.getItem(`boardgate.${name}`) ?? usual;
    } catch {
      return usual;
    }
  },
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(`boardgate.${name}`);
      else localStorage.setItem(`boardgate.${name}`, value);
    } catch {
      // Private windows of some browsers.
    }
  },
};
