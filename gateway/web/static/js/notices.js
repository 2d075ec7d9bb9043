/**
 * Has this browser told of its person's games while no page is open: the switch on the account's page and beside all of
 * one's games. Where it is on, other pages load this when there is a new seat, which the server is told of.
 */
import {byId, kept, write} from "./dom.js";
import {registered} from "./register.js";
import {seatsHeld, tickets} from "./tickets.js";

const part = byId("notices"), button = byId("notices-button"), note = byId("notices-note");
const can = Boolean(navigator.serviceWorker && "PushManager" in globalThis && "Notification" in globalThis);

/** This browser's subscription; null: it has none. */
async function standing() {
  return (await (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription()) ?? null;
}

function post(address, told) {
  return fetch(address, {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(told)});
}

/** Tells the server where to send, and which seats are meant; "" or why it does not. */
async function tell(subscription) {
  const {endpoint, keys} = subscription.toJSON();
  const answer = await post("/notices/on", {endpoint, key: keys.p256dh, auth: keys.auth, tickets: tickets()});
  if (!answer.ok) return (await answer.json()).message;
  kept.set("told", seatsHeld());
  return "";
}

async function end(subscription) {
  kept.set("told", null);
  await post("/notices/off", {endpoint: subscription.endpoint});
  await subscription.unsubscribe();
}

/** On: for the person whose page this is. A browser that told another person tells nobody any more. */
async function isOn() {
  const subscription = await standing(), told = kept.get("told");
  if (subscription && told?.split(":")[0] === seatsHeld().split(":")[0]) return !(await tell(subscription));
  if (subscription) await end(subscription);
  kept.set("told", null);
  return false;
}

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") return "The browser does not allow notices from this site: its own settings say so.";
  await registered();
  const {pushManager} = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({userVisibleOnly: true, applicationServerKey: part.dataset.key});
  const fault = await tell(subscription);
  if (fault) await subscription.unsubscribe();
  return fault;
}

function show(on, said = "") {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(on));
  write(button, on ? "Tell me no more in this browser" : "Tell me in this browser");
  write(note, said);
}

async function press() {
  button.disabled = true;
  const on = button.getAttribute("aria-pressed") === "true";
  try {
    if (on) await end(await standing());
    const fault = on ? "" : await turnOn();
    show(!on && !fault, fault || (on ? "This browser tells you nothing from now on." : "This browser tells you from now on."));
  } catch (error) {
    show(on, `That did not work: ${error.message}`);
  }
  button.disabled = false;
}

if (!can) {
  write(note, "This browser cannot, or the page is not encrypted.");
} else {
  const on = isOn();
  if (part) {
    button.onclick = press;
    on.then(show, () => show(false));
  }
}
