/**
 * Registers the service worker, worker.js. An address of a script is one of the texts that Trusted Types guard, so the
 * policy "worker" makes it one, of this address alone. Browsers have service workers over HTTPS and on this machine only.
 */
const WORKER = "/worker.js";

/** The registration; it is made where there is none. A browser looks for a newer worker by itself at each page. */
export async function registered() {
  return (await navigator.serviceWorker.getRegistration("/")) ?? navigator.serviceWorker.register(address(), {updateViaCache: "none"});
}

function address() {
  return globalThis.trustedTypes?.createPolicy("worker", {createScriptURL: () => WORKER}).createScriptURL("") ?? WORKER;
}
