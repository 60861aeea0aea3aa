import {
  DEFAULT_UPSTREAM_TIMEOUTS,
  type Dispatch,
  type Exchange,
  type FetchOutcome,
  type ResponseSink,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from '../http/exchange.ts';
import { classifyFailure } from './failures.ts';
import { findUnsupportedTransferCoding, TransferCodingError } from './response-headers.ts';

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

/** Adapts a {@link FetchTransport} to a function that writes the response into a sink. */
export function adaptFetchToDispatch(transport: FetchTransport): Dispatch<ReadableStream<Uint8Array>> {
  return (request, sink) => {
    const exchange = new FetchExchange(sink);
    void exchange.run((signal) => transport.send(request, signal));
    return exchange;
  };
}

class FetchExchange implements Exchange {
  readonly #sink: ResponseSink;
  readonly #control = new AbortController();
  #resume: (() => void) | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  async run(send: (signal: AbortSignal) => ReturnType<FetchTransport['send']>): Promise<void> {
    const { signal } = this.#control;
    const outcome = await send(signal);
    if (signal.aborted) return;
    if (outcome.kind === 'failure') {
      this.#sink.fail(outcome.failure);
      return;
    }
    this.#sink.head(outcome.head);
    try {
      if (outcome.body !== null) await this.#writeChunks(outcome.body.getReader());
    } catch (cause) {
      if (!signal.aborted) this.#sink.fail({ kind: 'connection-broken', cause });
      return;
    }
    if (!signal.aborted) this.#sink.end([]);
  }

  async #writeChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const { signal } = this.#control;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      // Set before the call: the sink may call resume() from within write().
      const resumed = new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      if (!this.#sink.write(value)) await resumed;
    }
  }

  resume(): void {
    this.#resume?.();
  }

  abort(): void {
    this.#control.abort();
    this.#resume?.();
  }
}

/** Settings of {@link abortWhenStalled}. */
interface StalledBodyOptions {
  /** Milliseconds between two chunks, counted while the reader waits; 0 waits forever. */
  readonly idleTimeout: number;
  /** Aborts the request that the body belongs to. */
  readonly control: AbortController;
  /** Called once, when the stream ends, fails or is cancelled. */
  readonly release: () => void;
}

/**
 * Wraps a response body so that its request is aborted if the site sends nothing for too long. Chunks, backpressure and
 * errors pass unchanged; a cancel aborts the request.
 */
export function abortWhenStalled(
  source: ReadableStream<Uint8Array>,
  { control, idleTimeout, release }: StalledBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer =
          idleTimeout === 0
            ? undefined
            : setTimeout(
                () => control.abort(new DOMException('the response stalled', 'TimeoutError')),
                idleTimeout,
              );
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
