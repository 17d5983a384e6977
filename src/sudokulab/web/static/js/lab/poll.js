// Ask the server again and again while the page is visible. Unchanged answers cost next to nothing: the browser sends
// the version it has, and the server compares it with the state of the file.

import { get } from "../api.js";
import { isAbort } from "../errors.js";

const SECONDS = 2;

// Call `onchange` with every new answer, and `onerror` with every error. Returns a function that stops.
/** @param {string} path @param {(answer: any) => void} onchange @param {(error: unknown) => void} onerror */
export function poll(path, onchange, onerror) {
  const stopping = new AbortController();
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  let last = "";

  async function ask() {
    try {
      if (!document.hidden) {
        const answer = await get(path, { signal: stopping.signal });
        const text = JSON.stringify(answer);
        if (text !== last) onchange(answer);
        last = text;
      }
    } catch (error) {
      if (isAbort(error)) return;
      last = "";
      onerror(error);
    }
    if (!stopping.signal.aborted) timer = setTimeout(ask, 1000 * SECONDS);
  }

  ask();
  return () => {
    stopping.abort();
    clearTimeout(timer);
  };
}
