import { Readable } from 'node:stream';
import type {
  Dispatch,
  ResponseHead,
  ResponseSink,
  UpstreamFailureKind,
  UpstreamTimeouts,
} from '../../../../src/base/http/message.ts';
import { DispatchTransport } from '../../../../src/gateway/upstream/dispatch-transport.ts';

interface TestRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: string[];
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly retryable?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each chunk of the body. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

export interface TestResponse {
  readonly head: ResponseHead | undefined;
  readonly body: Buffer;
  /** The failure before or after the head. */
  readonly failure: UpstreamFailureKind | undefined;
}

export interface TestTransport {
  request(request: TestRequest): Promise<TestResponse>;
  close(): Promise<void>;
}

export function createTestTransport(origin: string, timeouts?: UpstreamTimeouts): TestTransport {
  const transport = new DispatchTransport({ origin, timeouts });
  return { request: createRequester(transport.send), close: () => transport.destroy() };
}

function createRequester(send: Dispatch): TestTransport['request'] {
  return (request) =>
    new Promise((resolve) => {
      const sink = new CollectingSink(request.onChunk ?? (() => undefined), resolve);
      const body = isIterable(request.body)
        ? Readable.from(request.body, { objectMode: false })
        : (request.body ?? null);
      const exchange = send({ ...toUpstreamRequest(request), body }, sink);
      request.signal?.addEventListener('abort', () => {
        exchange.abort();
        sink.fail({ kind: 'client-gone' });
      });
    });
}

function toUpstreamRequest({ method = 'GET', target = '/', headers = [], retryable }: TestRequest) {
  return { method, target, headers, retryable: retryable ?? method === 'GET' };
}

function isIterable(body: TestRequest['body']): body is AsyncIterable<Uint8Array> {
  return body !== null && body !== undefined && !(body instanceof Uint8Array);
}

/** Collects a response, and throws on calls out of order. */
export class CollectingSink implements ResponseSink {
  readonly #onChunk: (chunk: Uint8Array) => void;
  readonly #done: (partial: TestResponse) => void;
  readonly #chunks: Buffer[] = [];
  #head: ResponseHead | undefined;
  #over = false;

  constructor(onChunk: (chunk: Uint8Array) => void, done: (partial: TestResponse) => void) {
    this.#onChunk = onChunk;
    this.#done = done;
  }

  head(head: ResponseHead): void {
    if (this.#over || this.#head !== undefined) throw new Error('head was called twice or after the end');
    this.#head = head;
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    this.head(head);
    this.write(body);
    this.end();
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over || this.#head === undefined)
      throw new Error('write was called before the head or after the end');
    this.#chunks.push(Buffer.from(chunk));
    this.#onChunk(chunk);
    return true;
  }

  end(): void {
    this.#finish(undefined);
  }

  fail(failure: { readonly kind: UpstreamFailureKind }): void {
    this.#finish(failure.kind);
  }

  #finish(failure: UpstreamFailureKind | undefined): void {
    if (this.#over) throw new Error('end or fail was called twice');
    this.#over = true;
    this.#done({ head: this.#head, body: Buffer.concat(this.#chunks), failure });
  }
}
