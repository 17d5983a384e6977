// The router: `#page?key=value&…` names the page and its parameters. A page module exports
//
//   mount(container, parameters) → {update(parameters), unmount()}
//
// `update` is called when the address changes while the page is open; both methods are optional.

import { say } from "./elements.js";
import { toggleTheme } from "./theme.js";
import { currentAddress } from "./address.js";

const PAGES = ["play", "watch", "race", "generate", "lab"];
const container = document.getElementById("page");
let open = { name: null, page: {} };

async function route() {
  const { name, parameters } = currentAddress();
  const page = PAGES.includes(name) ? name : "play";
  if (open.name === page) {
    open.page.update?.(parameters);
    return;
  }
  open.page.unmount?.();
  open = { name: page, page: {} };
  showTab(page);
  container.replaceChildren();
  const module = await import(`./${page}.js`);
  if (open.name !== page) return;
  open.page = module.mount(container, currentAddress().parameters) ?? {}; // it may have changed in the meantime
}

function showTab(page) {
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.dataset.page === page) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    if (tab.dataset.page === page) document.title = `${tab.textContent} · Sudokulab`;
  }
}

// Tabs take the current puzzle along.
function followTab(event) {
  const tab = event.target.closest(".tabs a");
  if (!tab) return;
  const { parameters } = currentAddress();
  const puzzle = ["p", "box"].filter((key) => parameters.has(key)).map((key) => [key, parameters.get(key)]);
  event.preventDefault();
  location.hash = puzzle.length ? `${tab.dataset.page}?${new URLSearchParams(puzzle)}` : tab.dataset.page;
}

document.querySelector(".tabs").addEventListener("click", followTab);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  container.focus();
});
document.getElementById("theme").addEventListener("click", toggleTheme);
window.addEventListener("hashchange", route);
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "ApiError" || event.reason?.problem) {
    event.preventDefault();
    say(event.reason.message, { isError: true });
  }
});
await route();
for (const page of PAGES) import(`./${page}.js`).catch(() => {}); // so that all tabs open even if the server ends
