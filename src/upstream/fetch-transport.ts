import {
  DEFAULT_UPSTREAM_TIMEOUTS,
  type FetchOutcome,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '../http/exchange.ts';
import { classifyFailure } from './failures.ts';
import { abortWhenStalled } from './stalled-body.ts';
import { findUnsupportedTransferCoding, TransferCodingError } from './transfer-coding.ts';

/** Settings of {@link createFetchTransport}. */
export interface FetchTransportOptions {
  /** Scheme, host and port of the site: `https://example.com`. */
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  /** `connect` and `headers` are added up to one timeout, because `fetch` does not report when it has connected. */
  readonly timeouts?: UpstreamTimeouts;
}

/** Sends requests to one site through the platform's `fetch`: slower than dispatch, and available everywhere. */
export interface FetchTransport {
  /**
   * @param signal aborted when the client leaves
   * @returns the response, whose body errors if the site breaks off, or the failure; never rejects
   */
  send(request: UpstreamRequest<ReadableStream<Uint8Array>>, signal?: AbortSignal): Promise<FetchOutcome>;
}

export function createFetchTransport(options: FetchTransportOptions): FetchTransport {
  const { origin, fetch } = options;
  const timeouts = options.timeouts ?? DEFAULT_UPSTREAM_TIMEOUTS;
  const headTimeout = timeouts.connect > 0 && timeouts.headers > 0 ? timeouts.connect + timeouts.headers : 0;
  return {
    async send(request, signal) {
      const url = origin + request.target;
      if (!isSentUnchanged(url, origin, request.target)) {
        return { kind: 'failure', failure: { kind: 'invalid-request' } };
      }
      const control = new AbortController();
      const release = followSignal(control, signal);
      const timer =
        headTimeout === 0 ? undefined : setTimeout(() => control.abort(createTimeoutError()), headTimeout);
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
        const head = { status, reason: statusText, headers };
        const coding = findUnsupportedTransferCoding(headers);
        if (coding !== undefined) {
          const error = new TransferCodingError(coding);
          control.abort(error);
          throw error;
        }
        if (response.body === null) {
          release();
          return { kind: 'response', head, body: null };
        }
        const body = abortWhenStalled(response.body, { idleTimeout: timeouts.body, control, release });
        return { kind: 'response', head, body };
      } catch (error) {
        release();
        // After an abort, some runtimes reject with an error other than the signal's reason.
        if (signal?.aborted === true) {
          return { kind: 'failure', failure: { kind: 'client-gone', cause: error } };
        }
        const cause = control.signal.aborted ? control.signal.reason : error;
        return { kind: 'failure', failure: classifyFailure(cause) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Aborts `control` when `signal` is aborted.
 *
 * @returns a function that stops listening to the signal
 */
function followSignal(control: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  const abort = (): void => control.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function createTimeoutError(): DOMException {
  return new DOMException('no response in time', 'TimeoutError');
}

/**
 * Whether `fetch` sends the target unchanged. It normalizes URLs (`/a/../b`, `\`, fragments), so the site could receive
 * another route than the one that the gateway matched.
 */
function isSentUnchanged(url: string, origin: string, target: string): boolean {
  if (!target.startsWith('/') || !URL.canParse(url)) return false;
  const parsed = new URL(url);
  return (
    parsed.origin === new URL(origin).origin &&
    // `fetch` leaves out an empty query. PHP and routes do not distinguish it from none.
    parsed.pathname + parsed.search === target.replace(/^([^?]*)\?$/, '$1') &&
    parsed.hash === ''
  );
}

function toBodyInit(body: ReadableStream<Uint8Array> | Uint8Array | null): RequestInit & { duplex?: 'half' } {
  if (body === null) return {};
  if (body instanceof ReadableStream) return { body, duplex: 'half' };
  return { body: new Uint8Array(body) };
}

/** Fields that `fetch` sets itself, from the URL and the connection. */
const FIELDS_SET_BY_FETCH = new Set(['host', 'connection', 'accept-encoding']);

function toHeaderPairs(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!FIELDS_SET_BY_FETCH.has(name.toLowerCase())) pairs.push([name, headers[at + 1] ?? '']);
  }
  // Otherwise fetch would request a content coding and decode every response.
  pairs.push(['Accept-Encoding', 'identity']);
  return pairs;
}

/** Content codings that `fetch` decodes without changing the fields (WHATWG Fetch, "handle content codings"). */
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
