// The router: `#page?key=value&…` names the page and its parameters. A page module exports
//
//   mount(container, parameters) → {update(parameters), unmount()}
//
// `update` is called when the address changes while the page is open; both methods are optional.

import { ApiError } from "./api.js";
import { byId, say } from "./elements.js";
import { toggleTheme } from "./theme.js";
import { addressIn, currentAddress } from "./address.js";

/** @typedef {{ update?: (parameters: URLSearchParams) => void, unmount?: () => void }} Page */

const PAGES = ["play", "watch", "race", "generate", "lab"];
const WITH_PUZZLE = new Set(["play", "watch", "race"]);
const container = byId("page");
const tabs = byId("tabs");
/** @type {Map<string, URLSearchParams>} */
const visited = new Map(); // page → parameters with which it was left
/** @type {[key: string, value: string | null][]} */
let puzzle = []; // the entries of the last address that had a puzzle
/** @type {{ name: string, page: Page }} */
let open = { name: "", page: {} };

async function route() {
  const { name, parameters } = currentAddress();
  const page = PAGES.includes(name) ? name : "play";
  if (open.name === page) {
    open.page.update?.(parameters);
    return;
  }
  open.page.unmount?.();
  /** @type {typeof open} */
  const opened = { name: page, page: {} };
  open = opened;
  showTab(page);
  container.replaceChildren();
  const module = await import(`./${page}.js`);
  // The address may have changed while the module was loading.
  if (open === opened) open.page = module.mount(container, currentAddress().parameters) ?? {};
}

/** @param {string} page */
function showTab(page) {
  for (const tab of tabs.querySelectorAll("a")) {
    if (tab.dataset.page === page) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    if (tab.dataset.page === page) document.title = `${tab.textContent} · Sudokulab`;
  }
}

/** @param {{ name: string, parameters: URLSearchParams }} address */
function remember({ name, parameters }) {
  visited.set(name, parameters);
  const keys = ["p", "box"];
  if (parameters.has("p")) puzzle = keys.map((key) => [key, parameters.get(key)]);
}

// Tabs lead back to where their page was left, with the current puzzle.
/** @param {string} page */
function addressOf(page) {
  remember(currentAddress());
  if (page === "lab" && open.name === "lab") return "#lab";
  const parameters = new URLSearchParams(visited.get(page));
  for (const [key, value] of WITH_PUZZLE.has(page) ? puzzle : []) {
    if (value) parameters.set(key, value);
    else parameters.delete(key);
  }
  return parameters.size ? `#${page}?${parameters}` : `#${page}`;
}

// The browser follows the link after this, also into a new tab.
/** @param {Event} event */
function prepareTab(event) {
  const tab = event.target instanceof Element ? event.target.closest("a") : null;
  if (tab?.dataset.page) tab.href = addressOf(tab.dataset.page);
}

tabs.addEventListener("click", prepareTab);
tabs.addEventListener("auxclick", prepareTab);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  container.focus();
});
// A file that is dropped where no page takes it must not replace the page.
for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
byId("theme").addEventListener("click", toggleTheme);
window.addEventListener("hashchange", (event) => {
  remember(addressIn(new URL(event.oldURL).hash));
  route();
});
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof ApiError) {
    event.preventDefault();
    say(event.reason.message, { isError: true });
  }
});
await route();
for (const page of PAGES) import(`./${page}.js`).catch(() => {}); // so that all tabs open even if the server ends
