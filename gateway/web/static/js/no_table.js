/**
 * Shows the server the ticket that this browser holds for a private table, if it does not know it: strangers see no such
 * table.
 */
import {byId} from "./dom.js";
import {keepTicket, ticketOf} from "./tickets.js";

const {table} = JSON.parse(byId("page-data").textContent);
const ticket = ticketOf(table);
if (ticket && !document.cookie.includes(encodeURIComponent(ticket))) {
  keepTicket(table, ticket);
  if (document.cookie) location.reload();
}
