/**
 * The service worker: shows pages as they were last seen while the server cannot be reached. It keeps no script and
 * answers with none, so none can be older than the server. The server writes VERSION, the hash of all files, and FILES
 * before this text (pages/installable.py). Pages hand over what they show (keep.js).
 */

/** The styles and pictures of this version, and the page that says that one is off line. */
const SHELL = `shell-${VERSION}`;

/** Pages as they were last seen, by their paths; under "/" + WHO stands whose they are. */
const SEEN = "seen";
const WHO = "/who";

/** The page that stands in for one that was never seen. */
const OFFLINE = "/offline";

/** Pages that are kept: the oldest is forgotten. */
const MOST = 24;

/** What a form of these paths changes is who sits before the browser. */
const LEAVING = /^\/(login|logout|register|guest|account)\b/;

/** Other answers than pages: a program's, or a file's own. */
const NO_PAGE = /^\/(api|static)\//;

/** Where a browser knows such routes no page waits until this worker has started, and no script passes through it. */
const ROUTES = [
  {condition: {requestMode: "navigate", requestMethod: "GET"}, source: "race-network-and-fetch-handler"},
  {condition: {urlPattern: "/static/*/js/*"}, source: "network"},
];

/** What pages hand over is put away in the order in which it came. */
let last = Promise.resolve();

function inTurn(work) {
  last = last.then(work, work);
  return last;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(filled());
  event.addRoutes?.(ROUTES);
});

async function filled() {
  const shell = await caches.open(SHELL);
  await shell.addAll([...FILES, new Request(OFFLINE, {credentials: "omit", cache: "no-store"})]);
}

addEventListener("activate", (event) => event.waitUntil(begun()));

async function begun() {
  for (const name of await caches.keys()) if (name !== SHELL && name !== SEEN) await caches.delete(name);
  if (!globalThis.InstallEvent?.prototype.addRoutes) await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("message", (event) => {
  const {who, path, page} = event.data;
  event.waitUntil(inTurn(() => (page ? keep(who, path, page) : belongsTo(who))));
});

/** What another person has seen is forgotten. */
async function belongsTo(who) {
  const seen = await caches.open(SEEN);
  if ((await (await seen.match(WHO))?.text()) === who) return;
  await caches.delete(SEEN);
  await (await caches.open(SEEN)).put(WHO, new Response(who));
}

/** A page of somebody who has logged out meanwhile is not kept. */
async function keep(who, path, page) {
  const seen = await caches.open(SEEN);
  if ((await (await seen.match(WHO))?.text()) !== who) return;
  await seen.put(path, new Response(page, {headers: {date: new Date().toUTCString()}}));
  const pages = (await seen.keys()).filter(({url}) => new URL(url).pathname !== WHO);
  for (const old of pages.slice(0, -MOST)) await seen.delete(old);
}

addEventListener("fetch", (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    if (request.mode === "navigate" && LEAVING.test(pathname)) event.waitUntil(inTurn(() => caches.delete(SEEN)));
  } else if (request.mode === "navigate") {
    if (!NO_PAGE.test(pathname)) event.respondWith(shown(event, pathname));
  } else if (FILES.includes(pathname)) {
    event.respondWith(kept(request));
  }
});

async function kept(request) {
  return (await caches.match(request, {cacheName: SHELL})) ?? fetch(request);
}

/** The server's page; without the server the one that was last seen. */
async function shown(event, path) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offline = await caches.match(OFFLINE, {cacheName: SHELL});
    if (!offline) throw error;
    await last;
    const seen = await caches.open(SEEN);
    const page = await seen.match(path);
    const text = page ? await asSeen(page) : bare(await offline.text()).replace("<!--seen-->", await links(seen));
    const headers = new Headers(offline.headers);
    headers.delete("content-encoding");
    headers.delete("content-length");
    return new Response(text, {headers});
  }
}

/** A page without its scripts, with the files of this version, and with a line that says when it was seen. */
async function asSeen(page) {
  const at = new Date(page.headers.get("date")).toLocaleString([], {dateStyle: "medium", timeStyle: "short"});
  const line = `<p class="offline" role="status">You are off line. This is what was here on ${at}. <a href="">Try again</a></p>`;
  return bare(await page.text())
    .replace(/\/static\/[0-9a-f]+\//g, `/static/${VERSION}/`)
    .replace(/<html\b/, "<html data-offline")
    .replace(/<main\b/, `${line}<main`);
}

/** Without scripts, and without the styles that scripts gave to elements: the policy forbids these in markup. */
function bare(page) {
  return page.replace(/<script\b[^]*?<\/script>|<link rel="modulepreload"[^>]*>| style="[^"]*"/g, "");
}

/** A notice for somebody who has no page open (gateway/push/words.py). */
addEventListener("push", (event) => {
  const {title, body, url, tag} = event.data.json();
  const off = {action: "off", title: "Tell me no more"};
  event.waitUntil(registration.showNotification(title, {body, tag, data: url, icon: "/apple-touch-icon.png", renotify: true, actions: [off]}));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "off" ? tellNoMore() : open(event.notification.data));
});

/** The table's page: the one that is open, or a new one. */
async function open(url) {
  const {pathname} = new URL(url, location.origin);
  const pages = await clients.matchAll({type: "window"});
  const found = pages.find((page) => new URL(page.url).pathname === pathname);
  return found ? found.focus() : clients.openWindow(url);
}

async function tellNoMore() {
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) return;
  const headers = {"content-type": "application/json"}, body = JSON.stringify({endpoint: subscription.endpoint});
  await fetch("/notices/off", {method: "POST", headers, body});
  await subscription.unsubscribe();
}

/** Links to the pages that can be shown, the newest first. Their titles are markup already. */
async function links(seen) {
  let found = "";
  for (const {url} of await seen.keys()) {
    const {pathname} = new URL(url);
    if (pathname === WHO) continue;
    const title = (await (await seen.match(url)).text()).match(/<title>([^<]*)<\/title>/)?.[1];
    found = `<li><a href="${pathname}">${title ?? pathname}</a></li>${found}`;
  }
  return found && `<p>As they were last seen:</p><ul class="list">${found}</ul>`;
}
