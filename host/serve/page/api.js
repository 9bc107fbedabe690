// @ts-check
/** Requests to the server: the token, JSON, and problems as errors. */

import { keep, kept } from './dom.js';

/** What the server answered instead of doing what was asked. */
export class Problem extends Error {
  /** @param {number} status @param {string} code @param {string} detail */
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** The page of a link keeps the secret of the link, and hands it to nobody. */
const isLink = location.pathname === '/reply';
const name = isLink ? 'link' : 'token';

/** @type {string | null} */
let token = kept(name);

/** Tabs of this origin, which hand each other the token and say what has changed. */
export const tabs = new BroadcastChannel('footlight');

/** Ends the wait for a token of another tab. @type {(() => void) | null} */
let adopt = null;

tabs.addEventListener('message', ({ data }) => {
  if (data === 'token?' && token && !isLink) tabs.postMessage({ token });
  else if (adopt && typeof data?.token === 'string') {
    setToken(data.token);
    adopt();
  }
});

export const isSignedIn = () => token !== null;

/** The subprotocols of a WebSocket, one of which carries the token. */
export const subprotocols = () => ['footlight.v1', `auth.${token}`];

/** Signs in with a token of another tab that is open, if there is one. */
export async function adoptToken() {
  tabs.postMessage('token?');
  await new Promise((done) => {
    adopt = () => done(null);
    setTimeout(adopt, 250);
  });
  adopt = null;
  return isSignedIn();
}

/** @param {string | null} value */
export function setToken(value) {
  token = value;
  keep(name, value);
}

/** Exchanges a login code for a token. @param {string} code */
export async function login(code) {
  const answer = await post('/api/login', { code });
  setToken(answer.token);
}

/** Ends the token, here and on the server. */
export async function logout() {
  try {
    await post('/api/logout');
  } finally {
    setToken(null);
  }
}

/**
 * Sends a request and returns the response.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 */
export async function send(method, path, body, headers = {}, signal) {
  /** @type {RequestInit} */
  const init = { method, headers: { ...headers }, credentials: 'omit', cache: 'no-store', signal };
  const all = /** @type {Record<string, string>} */ (init.headers);
  if (token) all['Authorization'] = `Bearer ${token}`;
  if (body !== undefined) {
    all['Content-Type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, 'unreachable', 'the server cannot be reached');
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401 && path !== '/api/login') {
    setToken(null);
    dispatchEvent(new Event('signed-out'));
  }
  const detail = problem.detail ?? problem.error ?? response.statusText;
  throw new Problem(response.status, problem.code ?? '', detail);
}

/**
 * Sends a request and returns the JSON of its answer; none if the answer is empty.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function request(method, path, body, headers) {
  const response = await send(method, path, body, headers);
  return response.status === 204 ? null : response.json();
}

/** @param {string} path */
export const get = (path) => request('GET', path);

/** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] */
export const post = (path, body = {}, headers) => request('POST', path, body, headers);

/** @param {string} text */
export const segment = (text) => encodeURIComponent(text);
