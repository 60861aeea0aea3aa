import {
  DEFAULT_TIMEOUTS,
  type FetchOutcome,
  type Timeouts,
  type UpstreamRequest,
} from '../http/exchange.ts';
import { classifyFailure } from './failures.ts';
import { abortWhenStalled } from './stalled-body.ts';

export interface FetchTransportOptions {
  /** Scheme, host and port of the site: `https://example.com`. */
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  /** `connect` and `headers` are one time here, their sum: fetch does not tell when it has connected. */
  readonly timeouts?: Timeouts;
}

/** Sends to one site through the platform's `fetch`: slower than dispatch, and at home everywhere. */
export interface FetchTransport {
  /**
   * @param signal the caller's: aborted when they leave
   * @returns the answer, whose body errors when the site breaks off, or why there is none; never rejects
   */
  send(request: UpstreamRequest<ReadableStream<Uint8Array>>, signal?: AbortSignal): Promise<FetchOutcome>;
}

export function createFetchTransport(options: FetchTransportOptions): FetchTransport {
  const { origin, fetch } = options;
  const timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
  const patience = timeouts.connect > 0 && timeouts.headers > 0 ? timeouts.connect + timeouts.headers : 0;
  return {
    async send(request, signal) {
      const url = origin + request.target;
      if (!isSentUnchanged(url, origin, request.target))
        return { kind: 'failure', failure: { kind: 'invalid-request' } };
      const control = new AbortController();
      const leave = (): void => control.abort(signal?.reason);
      if (signal?.aborted === true) leave();
      signal?.addEventListener('abort', leave, { once: true });
      const release = (): void => signal?.removeEventListener('abort', leave);
      const timer =
        patience === 0 ? undefined : setTimeout(() => control.abort(createTimeoutError()), patience);
      try {
        const response = await fetch(url, {
          method: request.method,
          headers: toHeaderPairs(request.headers),
          redirect: 'manual',
          signal: control.signal,
          ...toBodyInit(request.body),
        });
        const { status, statusText } = response;
        const headers = toHeaderList(response.headers);
        const body =
          response.body === null ? null : abortWhenStalled(response.body, timeouts.body, control, release);
        if (body === null) release();
        return { kind: 'response', head: { status, reason: statusText, headers }, body };
      } catch (error) {
        release();
        // A runtime may reject with an error of its own where it was the signal that ended the request.
        if (signal?.aborted === true)
          return { kind: 'failure', failure: { kind: 'client-gone', cause: error } };
        const cause = control.signal.aborted ? control.signal.reason : error;
        return { kind: 'failure', failure: classifyFailure(cause) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function createTimeoutError(): DOMException {
  return new DOMException('no answer in time', 'TimeoutError');
}

/**
 * `fetch` normalises its URL (`/a/../b`, `\`, a fragment), and the site would then be asked for another route than the
 * one that was matched.
 */
function isSentUnchanged(url: string, origin: string, target: string): boolean {
  if (!target.startsWith('/') || !URL.canParse(url)) return false;
  const parsed = new URL(url);
  return (
    parsed.origin === new URL(origin).origin &&
    parsed.pathname + parsed.search === target &&
    parsed.hash === ''
  );
}

function toBodyInit(body: ReadableStream<Uint8Array> | Uint8Array | null): RequestInit & { duplex?: 'half' } {
  if (body === null) return {};
  if (body instanceof ReadableStream) return { body, duplex: 'half' };
  return { body: new Uint8Array(body) };
}

/** `fetch` makes these itself: the host from the URL, the rest from the connection. */
const FIELDS_SET_BY_FETCH = new Set(['host', 'connection', 'accept-encoding']);

function toHeaderPairs(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!FIELDS_SET_BY_FETCH.has(name.toLowerCase())) pairs.push([name, headers[at + 1] ?? '']);
  }
  // Else fetch would ask for a coding, and undo it, on every answer.
  pairs.push(['Accept-Encoding', 'identity']);
  return pairs;
}

/** Codings that `fetch` undoes without saying so (WHATWG Fetch, "handle content codings"). */
const DECODED_CODINGS = /^(?:\s*(?:gzip|x-gzip|deflate|br|zstd)\s*,?)+$/i;

function toHeaderList(headers: Headers): string[] {
  const undone = DECODED_CODINGS.test(headers.get('content-encoding') ?? '');
  const list: string[] = [];
  for (const [name, value] of headers) {
    if (undone && (name === 'content-encoding' || name === 'content-length')) continue;
    list.push(name, undone && name === 'etag' && !value.startsWith('W/') ? `W/${value}` : value);
  }
  return list;
}
