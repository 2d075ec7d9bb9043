/**
 * Dials the server while the script of a table's page is still on its way, which takes the line from here (socket.js).
 * No module, for those wait until the page is read.
 */
globalThis.early = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
