// Light and dark theme: that of the system until the user chooses one.

const KEY = "sudokulab-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is switched off
  }
}

function apply() {
  document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
  document.dispatchEvent(new Event("themechange"));
}

export function toggleTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // the choice lasts until the next change of the system's theme
  }
  document.documentElement.dataset.theme = next;
  document.dispatchEvent(new Event("themechange"));
}

// Paper is white.
window.addEventListener("beforeprint", () => (document.documentElement.dataset.theme = "light"));
window.addEventListener("afterprint", apply);

apply();
system.addEventListener("change", apply);
