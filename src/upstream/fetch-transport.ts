import {
  DEFAULT_UPSTREAM_TIMEOUTS,
  type Dispatch,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '../http/exchange.ts';
import { authenticatesConnection, toFieldPairs, withoutFields } from '../http/fields.ts';
import { classifyFailure } from './failures.ts';
import { findUnsupportedTransferCoding, TransferCodingError } from './response-headers.ts';

/**
 * Sends requests through the platform's `fetch`: slower than dispatch, but everywhere.
 * @param origin scheme, host and port
 * @param timeouts `connect` and `headers` are added up, because `fetch` does not report when it has connected
 */
export function createFetchTransport(
  origin: string,
  fetch: typeof globalThis.fetch,
  timeouts: UpstreamTimeouts = DEFAULT_UPSTREAM_TIMEOUTS,
): Dispatch<ReadableStream<Uint8Array>> {
  const headTimeout = timeouts.connect > 0 && timeouts.headers > 0 ? timeouts.connect + timeouts.headers : 0;
  return (request, sink) => {
    const control = new AbortController();
    let hasHead = false;
    let isLeft = false;
    let resume = (): void => {};

    /** 0: no timeout. */
    const receive = async <T>(arriving: Promise<T>, timeout: number, message: string): Promise<T> => {
      const onTimeout = (): void => control.abort(new DOMException(message, 'TimeoutError'));
      const timer = timeout === 0 ? undefined : setTimeout(onTimeout, timeout);
      try {
        return await arriving;
      } finally {
        clearTimeout(timer);
      }
    };

    const relay = async (): Promise<void> => {
      const sent = fetch(origin + request.target, {
        method: request.method,
        headers: toHeaderPairs(request),
        redirect: 'manual',
        signal: control.signal,
        ...toBodyInit(request.body),
      });
      const response = await receive(sent, headTimeout, 'no response in time');
      const headers = toHeaderList(response.headers);
      const coding = findUnsupportedTransferCoding(headers);
      if (coding !== undefined) throw new TransferCodingError(coding);
      if (isLeft) return;
      hasHead = true;
      sink.head({ status: response.status, reason: response.statusText, headers });
      const reader = response.body?.getReader();
      while (reader !== undefined && !isLeft) {
        const { done, value } = await receive(reader.read(), timeouts.body, 'the response stalled');
        if (done || isLeft) break;
        // Set before the call: the sink can call resume() from within write().
        const resumed = new Promise<void>((resolve) => {
          resume = resolve;
        });
        if (!sink.write(value)) await resumed;
      }
      if (!isLeft) sink.end([]);
    };

    if (isSentUnchanged(origin, request.target)) {
      relay().catch((error: unknown) => {
        if (isLeft) return;
        // After an abort, some runtimes reject with an error other than the signal's reason.
        const cause: unknown = control.signal.aborted ? control.signal.reason : error;
        control.abort(cause);
        sink.fail(hasHead ? { kind: 'connection-broken', cause } : classifyFailure(cause));
      });
    } else sink.fail({ kind: 'invalid-request' });
    return {
      resume: () => resume(),
      abort() {
        isLeft = true;
        control.abort();
        resume();
      },
    };
  };
}

/**
 * `fetch` normalizes URLs (`/a/../b`, `\`, fragments), so the site could get another route than the one that
 * was matched.
 */
function isSentUnchanged(origin: string, target: string): boolean {
  if (!target.startsWith('/') || !URL.canParse(origin + target)) return false;
  const parsed = new URL(origin + target);
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

const AUTHORIZATION: ReadonlySet<string> = new Set(['authorization']);
const FIELDS_SET_BY_FETCH = new Set(['host', 'connection', 'accept-encoding']);

function toHeaderPairs({ body, headers }: UpstreamRequest<unknown>): [string, string][] {
  // `fetch` shares connections among all clients.
  const pairs = toFieldPairs(
    authenticatesConnection(headers) ? withoutFields(headers, AUTHORIZATION) : headers,
  ).filter(([name]) => {
    const lower = name.toLowerCase();
    // With undici from npm as the dispatcher of Node's fetch, there would be two lengths.
    return !FIELDS_SET_BY_FETCH.has(lower) && !(body instanceof Uint8Array && lower === 'content-length');
  });
  // Otherwise fetch would request a content coding and decode every response.
  return [...pairs, ['Accept-Encoding', 'identity']];
}

/** WHATWG Fetch, "handle content codings": decoded without changing the fields. */
const DECODED_CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

function toHeaderList(headers: Headers): string[] {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const undone = codings.every((coding) => DECODED_CODINGS.has(coding.trim()));
  const list: string[] = [];
  for (const [name, value] of headers) {
    if (undone && (name === 'content-encoding' || name === 'content-length')) continue;
    list.push(name, undone && name === 'etag' && !value.startsWith('W/') ? `W/${value}` : value);
  }
  return list;
}
