// Requests to the server. Errors are problem documents (RFC 9457); their `detail` is meant for people.

import { isAbort } from "./errors.js";

/** @typedef {{ title?: string, detail?: string, status?: number }} Problem */

export class ApiError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail || problem.title || "The request failed.");
    this.problem = problem;
  }
}

/** @param {string} path @param {RequestInit} options */
async function request(path, options) {
  let response;
  try {
    response = await fetch(`api/${path}`, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError({ detail: "The server does not answer. Is sudokulab serve still running?" });
  }
  if (response.ok) return response;
  throw new ApiError(await response.json().catch(() => ({ title: response.statusText, status: response.status })));
}

/** @param {string} path @param {{ signal?: AbortSignal }} [options] */
export async function get(path, { signal } = {}) {
  return (await request(path, { signal })).json();
}

// Get an answer that never changes; it is asked for once. A failure is not kept, so that the next try can succeed.
const answers = new Map();
/** @param {string} path */
export function getOnce(path) {
  if (!answers.has(path)) {
    const answer = get(path);
    answers.set(path, answer);
    answer.catch(() => answers.delete(path));
  }
  return answers.get(path);
}

/** @param {string} path @param {{ signal?: AbortSignal }} [options] */
export async function getText(path, { signal } = {}) {
  return (await request(path, { signal })).text();
}

/** @param {object} body @param {AbortSignal | undefined} signal */
function posted(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

/** @param {string} path @param {object} body @param {{ signal?: AbortSignal }} [options] */
export async function post(path, body, { signal } = {}) {
  return (await request(path, posted(body, signal))).json();
}

/** @param {string} path @param {object} body @param {{ signal?: AbortSignal }} [options] */
export async function postForBlob(path, body, { signal } = {}) {
  return (await request(path, posted(body, signal))).blob();
}

// The address of a WebSocket of the server.
/** @param {string} path */
export function socketAddress(path) {
  const address = new URL(`api/${path}`, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}
