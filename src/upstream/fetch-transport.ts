import {
  DEFAULT_UPSTREAM_TIMEOUTS,
  type Dispatch,
  type FetchOutcome,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '../http/exchange.ts';
import { toFieldPairs } from '../http/fields.ts';
import { classifyFailure } from './failures.ts';
import { findUnsupportedTransferCoding, TransferCodingError } from './response-headers.ts';

/** Sends requests to one site through the platform's `fetch`: slower than dispatch, and available everywhere. */
export interface FetchTransport {
  /**
   * @param signal aborted when the client leaves
   * @returns the response, whose body errors if the site breaks off, or the failure; never rejects
   */
  send(request: UpstreamRequest<ReadableStream<Uint8Array>>, signal?: AbortSignal): Promise<FetchOutcome>;
}

/**
 * @param origin scheme, host and port of the site: `https://example.com`
 * @param timeouts `connect` and `headers` are added up, because `fetch` does not report when it has connected
 */
export function createFetchTransport(
  origin: string,
  fetch: typeof globalThis.fetch,
  timeouts: UpstreamTimeouts = DEFAULT_UPSTREAM_TIMEOUTS,
): FetchTransport {
  const headTimeout = timeouts.connect > 0 && timeouts.headers > 0 ? timeouts.connect + timeouts.headers : 0;
  return {
    async send(request, signal) {
      const url = origin + request.target;
      if (!isSentUnchanged(url, origin, request.target)) {
        return { kind: 'failure', failure: { kind: 'invalid-request' } };
      }
      const control = new AbortController();
      const abort = (): void => control.abort(signal?.reason);
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
      const release = (): void => signal?.removeEventListener('abort', abort);
      const onTimeout = (): void => control.abort(new DOMException('no response in time', 'TimeoutError'));
      const timer = headTimeout === 0 ? undefined : setTimeout(onTimeout, headTimeout);
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
        const body = abortWhenStalled(response.body, timeouts.body, control, release);
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
  const pairs = toFieldPairs(headers).filter(([name]) => !FIELDS_SET_BY_FETCH.has(name.toLowerCase()));
  // Otherwise fetch would request a content coding and decode every response.
  return [...pairs, ['Accept-Encoding', 'identity']];
}

/** Content codings that `fetch` decodes without changing the fields (WHATWG Fetch, "handle content codings"). */
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

/**
 * Adapts a {@link FetchTransport} to a function that writes the response into a sink.
 *
 * @param onBegun receives what settles when an exchange has ended; it never rejects
 */
export function adaptFetchToDispatch(
  transport: FetchTransport,
  onBegun?: (exchange: Promise<void>) => void,
): Dispatch<ReadableStream<Uint8Array>> {
  return (request, sink) => {
    const control = new AbortController();
    const { signal } = control;
    let resume = (): void => {};
    const writeChunks = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        // Set before the call: the sink may call resume() from within write().
        const resumed = new Promise<void>((resolve) => {
          resume = resolve;
        });
        if (!sink.write(value)) await resumed;
      }
    };
    const relay = async (outcome: FetchOutcome): Promise<void> => {
      if (signal.aborted) return;
      if (outcome.kind === 'failure') return sink.fail(outcome.failure);
      sink.head(outcome.head);
      try {
        if (outcome.body !== null) await writeChunks(outcome.body.getReader());
      } catch (cause) {
        if (!signal.aborted) sink.fail({ kind: 'connection-broken', cause });
        return;
      }
      if (!signal.aborted) sink.end([]);
    };
    const exchange = transport.send(request, signal).then(relay);
    onBegun?.(exchange);
    return {
      resume: () => resume(),
      abort() {
        control.abort();
        resume();
      },
    };
  };
}

/**
 * Wraps a response body so that its request is aborted if the site sends nothing for too long. Chunks, backpressure and
 * errors pass unchanged; a cancel aborts the request.
 *
 * @param idleTimeout milliseconds between two chunks, counted while the reader waits; 0 waits forever
 * @param control aborts the request that the body belongs to
 * @param release called once, when the stream ends, fails or is cancelled
 */
function abortWhenStalled(
  source: ReadableStream<Uint8Array>,
  idleTimeout: number,
  control: AbortController,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const onStalled = (): void => control.abort(new DOMException('the response stalled', 'TimeoutError'));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = idleTimeout === 0 ? undefined : setTimeout(onStalled, idleTimeout);
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (error) {
          release();
          controller.error(error);
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason) {
        release();
        control.abort(reason);
        // The abort has already errored the source.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    // Nothing is read ahead, so that backpressure reaches the site.
    { highWaterMark: 0 },
  );
}
