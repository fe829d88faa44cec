/**
 * Requests to the studio's server. Every failure is a Problem whose message is a sentence for people.
 *
 * What is sent has a type of its own, which the caller names (it is not guessed from what is sent): so a field that the server does not know
 * is an error in the page.
 */
import { unpack, type Pack } from "./pack";
import { isAway, isHere, untilBack } from "./presence";
import type { ResultPack, ServerProblem } from "./types";

/** What went wrong, as a sentence. status is that of the answer, 0 where the server could not be reached. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = "Problem";
  }

  /** True where a newer request took the place of this one: nothing to tell anybody. */
  get aborted(): boolean {
    return this.status === -1;
  }
}

/** The sentence of anything that was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

/** True for requests that were called off. */
export function isAborted(error: unknown): boolean {
  return error instanceof Problem && error.aborted;
}

/** Of a search, that it finds nothing is an answer like any other: its status would be an error in the browser's console. */
const TOLD = "X-Problems-Told";

async function send(method: string, url: string, body?: unknown, signal?: AbortSignal, told = false): Promise<Response> {
  const headers: Record<string, string> = told ? { [TOLD]: "1" } : {};
  let payload: BodyInit | undefined;
  if (body instanceof FormData) payload = body;
  else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    payload = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(url, { method, headers, body: payload, signal });
  } catch (error) {
    if (signal?.aborted || (error instanceof DOMException && error.name === "AbortError")) throw new Problem("Called off.", -1);
    isAway();
    throw new Problem("The studio's server does not answer. Is it still running?", 0);
  }
  isHere();
  if (!response.ok) throw new Problem(await complaint(response), response.status);
  return response;
}

/** What each result was asked by, the newest last. */
const origins = new Map<string, { readonly url: string; readonly body: unknown }>();
const MOST_ORIGINS = 64;

function remember(pack: Pack<unknown>, url: string, body: unknown): void {
  const id = (pack.facts as Partial<ResultPack>).result?.id;
  if (!id) return;
  origins.delete(id);
  origins.set(id, { url, body });
  for (const oldest of origins.keys()) if (origins.size > MOST_ORIGINS) origins.delete(oldest);
}

/** The result that a request is about; null where it is about none. */
function resultOf(url: string, body: unknown): string | null {
  const source = (body as { source?: { kind: string; id: string } } | undefined)?.source;
  return /^\/api\/results\/([^/?]+)/.exec(url)?.[1] ?? (source?.kind === "result" ? source.id : null);
}

/** Send it; a result that the server holds no more, since it was started again, is made once more before: the same request gives the same. */
async function ensure(method: string, url: string, body?: unknown, signal?: AbortSignal, told = false): Promise<Response> {
  try {
    return await send(method, url, body, signal, told);
  } catch (error) {
    const id = error instanceof Problem && error.status === 404 ? resultOf(url, body) : null;
    const origin = id && origins.get(id);
    if (!origin) throw error;
    await postPack<unknown, unknown>(origin.url, origin.body, signal);
    return send(method, url, body, signal, told);
  }
}

/** Send what changes nothing, so that it may be sent again: while the server is away it waits, and is answered when it is back. */
async function ask(method: string, url: string, body?: unknown, signal?: AbortSignal, told = false): Promise<Response> {
  for (;;) {
    try {
      return await ensure(method, url, body, signal, told);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 0) throw error;
      await untilBack(signal);
    }
  }
}

async function complaint(response: Response): Promise<string> {
  try {
    const told = (await response.json()) as Partial<ServerProblem>;
    if (told.error) return told.error;
  } catch {
    // not JSON: the status has to do
  }
  if (response.status === 413) return "That is more than the studio takes at once.";
  if (response.status >= 500) return "Something went wrong in the studio's server; the terminal in which it runs shows more. What you chose is kept: try again.";
  return `The server answered ${response.status} ${response.statusText}.`.replace(" .", ".");
}

async function json<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

async function packed<Facts>(response: Response, signal?: AbortSignal): Promise<Pack<Facts>> {
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    const { error, status } = (await response.json()) as ServerProblem;
    throw new Problem(error, status ?? response.status);
  }
  try {
    return unpack<Facts>(await response.arrayBuffer());
  } catch (error) {
    if (signal?.aborted) throw new Problem("Called off.", -1);
    throw error;
  }
}

/** GET, JSON. */
export const get = async <Answer>(url: string, signal?: AbortSignal): Promise<Answer> => json<Answer>(await ask("GET", url, undefined, signal));
/** POST of JSON or of a form, JSON back. */
export const post = async <Answer, Body = undefined>(url: string, body?: NoInfer<Body>): Promise<Answer> => json<Answer>(await ensure("POST", url, body));
/** POST of JSON that changes nothing, JSON back. */
export const inquire = async <Answer, Body>(url: string, body: NoInfer<Body>): Promise<Answer> => json<Answer>(await ask("POST", url, body));
/** PUT of JSON, JSON back. */
export const put = async <Answer, Body = undefined>(url: string, body: NoInfer<Body>): Promise<Answer> => json<Answer>(await send("PUT", url, body));
/** PATCH of JSON, JSON back. */
export const patch = async <Answer, Body = undefined>(url: string, body: NoInfer<Body>): Promise<Answer> => json<Answer>(await send("PATCH", url, body));
/** DELETE, JSON back. */
export const del = async <Answer>(url: string): Promise<Answer> => json<Answer>(await send("DELETE", url));
/** GET of a file, as the browser saves it. */
export const getBlob = async (url: string): Promise<Blob> => (await ask("GET", url)).blob();
/** GET of a pack. */
export const getPack = async <Facts>(url: string, signal?: AbortSignal): Promise<Pack<Facts>> => packed<Facts>(await ask("GET", url, undefined, signal), signal);
/** POST of JSON, a pack back: a search, which may be repeated. */
export async function postPack<Facts, Body = undefined>(url: string, body: NoInfer<Body>, signal?: AbortSignal): Promise<Pack<Facts>> {
  const pack = await packed<Facts>(await ask("POST", url, body, signal, true), signal);
  remember(pack, url, body);
  return pack;
}
