/**
 * Hands a seat on: the invitation of a friend, and this seat's link, QR code and commands for another device or program.
 */
import {draw, make} from "./dom.js";
import {showDialog} from "./settings.js";

/** The address that takes a seat; its ticket stands behind `#`, which no server sees. */
function seatAddress(ticket) {
  return `${location.origin}/seat#${ticket}`;
}

/** A text to copy: by the button where the browser allows it, else selected for the hand. */
export function copyField(text, label) {
  const field = make("input", {readonly: true, value: text, "aria-label": label, onfocus: () => field.select()});
  const copy = make("button", {type: "button", class: "button", onclick: async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (!document.execCommand?.("copy")) return;
    }
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 2000);
  }}, "Copy");
  return make("div", {class: "copy"}, field, copy);
}

/** A QR code, drawn when the server has computed it. */
function qrCode(text, label) {
  const picture = draw("svg", {class: "qr", role: "img", "aria-label": label});
  fetch("/api/qr", {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({text})})
    .then((answer) => answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status))))
    .then(({size, path}) => {
      picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
      picture.append(draw("path", {d: path, fill: "#000"}));
    }).catch(() => picture.remove());
  return picture;
}

/** The invitation of a friend, shown while the table waits. */
export function invitation(ticket) {
  const address = seatAddress(ticket);
  return make("div", {class: "panel wait", id: "invitation"}, make("p", {class: "asks"}, "Send this link to your friend."),
    make("p", {class: "muted"}, "Whoever sits down by it first plays you. It is good once."),
    copyField(address, "Link for your friend"), qrCode(address, "The same link as QR code"));
}

/**
 * "Continue elsewhere": the seat's link, its QR code, and each other program's command.
 * @param {[string, string][]} dialects each dialect and how it presents a ticket
 */
export function openElsewhere(ticket, name, dialects) {
  const address = seatAddress(ticket);
  const commands = dialects.flatMap(([dialect, words]) => [make("dt", {}, dialect),
    make("dd", {}, make("code", {}, words.replaceAll("{ticket}", ticket).replaceAll("{name}", name).replaceAll("HOST", location.hostname)))]);
  showDialog("Continue elsewhere", [
    make("p", {}, "This is the key to your seat. Whoever has it plays for you."),
    copyField(address, "Link to your seat"), qrCode(address, "The same link as QR code"),
    ...(commands.length ? [make("h3", {}, "In another program"), make("dl", {}, ...commands)] : []),
  ], [["Done", null, true]]);
}
