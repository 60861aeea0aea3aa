import type { ForwardOptions, ForwardToOrigin } from '../../../../src/cache/cache.ts';
import type { Exchange, ResponseSink, UpstreamFailureKind } from '../../../../src/http/exchange.ts';

export interface TestResponse {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** One request that reached the site; answered when the test says so. */
export class ForwardedRequest implements Exchange {
  readonly asked: ForwardOptions;
  readonly #sink: ResponseSink;
  aborted = false;
  resumes = 0;

  constructor(asked: ForwardOptions, sink: ResponseSink) {
    this.asked = asked;
    this.#sink = sink;
  }

  resume(): void {
    this.resumes += 1;
  }

  abort(): void {
    this.aborted = true;
  }

  head(status = 200, headers: readonly string[] = []): this {
    if (!this.aborted) this.#sink.head({ status, reason: '', headers });
    return this;
  }

  /** @returns whether the site may go on */
  write(text: string): boolean {
    return this.aborted || this.#sink.write(new TextEncoder().encode(text));
  }

  end(): void {
    if (!this.aborted) this.#sink.end([]);
  }

  fail(kind: UpstreamFailureKind = 'connection-broken'): void {
    if (!this.aborted) this.#sink.fail({ kind });
  }

  respond({
    status = 200,
    headers = ['Cache-Control', 'max-age=60'],
    body = 'body',
  }: TestResponse = {}): void {
    this.head(status, headers);
    if (body !== '') this.write(body);
    this.end();
  }
}

/** A site that keeps its requests until they are answered, or answers at once where it is told how. */
export class TestOrigin {
  readonly requests: ForwardedRequest[] = [];
  onRequest: ((request: ForwardedRequest, number: number) => void) | undefined;

  readonly forward: ForwardToOrigin = (asked, sink) => {
    const request = new ForwardedRequest(asked, sink);
    this.requests.push(request);
    this.onRequest?.(request, this.requests.length);
    return request;
  };

  get last(): ForwardedRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('the site was not asked');
    return request;
  }
}
