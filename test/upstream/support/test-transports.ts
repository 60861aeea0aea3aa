import { Readable } from 'node:stream';
import type { FailureKind, ResponseHead, ResponseSink, Timeouts } from '../../../src/http/exchange.ts';
import { dispatchAsFetch } from '../../../src/upstream/dispatch-as-fetch.ts';
import { createDispatchTransport } from '../../../src/upstream/dispatch-transport.ts';
import { createFetchTransport, type FetchTransport } from '../../../src/upstream/fetch-transport.ts';

export interface Asked {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: string[];
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly retryable?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each part of the body as it comes. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

export interface Answered {
  readonly head: ResponseHead | undefined;
  readonly interim: readonly ResponseHead[];
  readonly body: Buffer;
  readonly trailers: readonly string[];
  /** What went wrong, before or after the head; `other` where fetch's body errors with what is no failure of ours. */
  readonly failure: FailureKind | 'other' | undefined;
}

export interface TestTransport {
  ask(asked: Asked): Promise<Answered>;
  close(): Promise<void>;
}

/** Both transports in one shape, so that one suite can be run over both. */
export const TRANSPORTS: Readonly<Record<string, (origin: string, timeouts?: Timeouts) => TestTransport>> = {
  dispatch: (origin, timeouts) => {
    const transport = createDispatchTransport({ origin, ...(timeouts === undefined ? {} : { timeouts }) });
    return {
      ask: (asked) =>
        new Promise((resolve) => {
          const sink = new CollectingSink(asked.onChunk ?? (() => undefined), resolve);
          const body = isIterable(asked.body) ? Readable.from(asked.body, { objectMode: false }) : asked.body;
          const exchange = transport.send({ ...requestOf(asked), body: body ?? null }, sink);
          asked.signal?.addEventListener('abort', () => {
            exchange.abort();
            sink.fail({ kind: 'client-gone' });
          });
        }),
      close: () => transport.destroy(),
    };
  },
  'dispatch as fetch': (origin, timeouts) => {
    const transport = createDispatchTransport({ origin, ...(timeouts === undefined ? {} : { timeouts }) });
    return { ask: asker(dispatchAsFetch(transport)), close: () => transport.destroy() };
  },
  fetch: (origin, timeouts) => ({
    ask: asker(createFetchTransport({ origin, fetch, ...(timeouts === undefined ? {} : { timeouts }) })),
    close: async () => undefined,
  }),
};

function asker(transport: FetchTransport): TestTransport['ask'] {
  return async (asked) => {
    const body = isIterable(asked.body) ? webStream(asked.body) : (asked.body ?? null);
    const outcome = await transport.send({ ...requestOf(asked), body }, asked.signal);
    const none = { head: undefined, interim: [], body: Buffer.alloc(0), trailers: [] };
    if (outcome.kind === 'failure') return { ...none, failure: outcome.failure.kind };
    const chunks: Uint8Array[] = [];
    const answered = { ...none, head: outcome.head };
    const reader = outcome.body?.getReader();
    try {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (value === undefined || done) break;
        chunks.push(value);
        asked.onChunk?.(value);
      }
      return { ...answered, body: Buffer.concat(chunks), failure: undefined };
    } catch {
      return { ...answered, body: Buffer.concat(chunks), failure: 'other' };
    }
  };
}

function requestOf({ method = 'GET', target = '/', headers = [], retryable }: Asked) {
  return { method, target, headers, retryable: retryable ?? method === 'GET' };
}

function isIterable(body: Asked['body']): body is AsyncIterable<Uint8Array> {
  return body !== null && body !== undefined && !(body instanceof Uint8Array);
}

/** A web stream that reads its source only when it is read itself. */
export function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Keeps what it is given, and objects to any call after the last one. */
export class CollectingSink implements ResponseSink {
  readonly #onChunk: (chunk: Uint8Array) => void;
  readonly #done: (answered: Answered) => void;
  readonly #interim: ResponseHead[] = [];
  readonly #chunks: Buffer[] = [];
  #head: ResponseHead | undefined;
  #over = false;

  constructor(onChunk: (chunk: Uint8Array) => void, done: (answered: Answered) => void) {
    this.#onChunk = onChunk;
    this.#done = done;
  }

  interim(head: ResponseHead): void {
    this.#interim.push(head);
  }

  head(head: ResponseHead): void {
    if (this.#over || this.#head !== undefined) throw new Error('a head too many');
    this.#head = head;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over || this.#head === undefined) throw new Error('a chunk before the head or after the end');
    this.#chunks.push(Buffer.from(chunk));
    this.#onChunk(chunk);
    return true;
  }

  end(trailers: readonly string[]): void {
    this.#finish(trailers, undefined);
  }

  fail(failure: { readonly kind: FailureKind }): void {
    this.#finish([], failure.kind);
  }

  #finish(trailers: readonly string[], failure: FailureKind | undefined): void {
    if (this.#over) throw new Error('an end too many');
    this.#over = true;
    this.#done({
      head: this.#head,
      interim: this.#interim,
      body: Buffer.concat(this.#chunks),
      trailers,
      failure,
    });
  }
}
