/**
 * Leads a browser that holds a ticket of a private table to its seat: the server shows strangers no such table.
 */
import {byId} from "./dom.js";
import {ticketOf} from "./tickets.js";

const {table} = JSON.parse(byId("page-data").textContent);
const ticket = ticketOf(table);
if (ticket) location.replace(`/seat#${ticket}`);
