import type { Exchange, ResponseSink } from '../../../../../src/base/http/exchange.ts';
import type { UpstreamFailureKind } from '../../../../../src/base/http/network-errors.ts';
import type {
  CacheRequest,
  FetchOptions,
  Upstream,
} from '../../../../../src/gateway/cache/engine/fetch-plan.ts';

export interface TestResponse {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request that was forwarded to the site; the test controls its response. */
export class ForwardedRequest implements Exchange {
  readonly options: FetchOptions;
  readonly #sink: ResponseSink;
  aborted = false;

  constructor(options: FetchOptions, sink: ResponseSink) {
    this.options = options;
    this.#sink = sink;
  }

  resume(): void {}

  abort(): void {
    this.aborted = true;
  }

  head(status = 200, headers: readonly string[] = []): this {
    if (!this.aborted) this.#sink.head({ status, reason: '', headers });
    return this;
  }

  /** @returns `false` if the site should pause */
  write(text: string): boolean {
    return this.aborted || this.#sink.write(new TextEncoder().encode(text));
  }

  end(): void {
    if (!this.aborted) this.#sink.end();
  }

  fail(kind: UpstreamFailureKind = 'connection-broken'): void {
    if (!this.aborted) this.#sink.fail({ kind });
  }

  respond({
    status = 200,
    headers = ['Cache-Control', 'max-age=60'],
    body = 'body',
  }: TestResponse = {}): void {
    const head = { status, reason: '', headers };
    if (this.aborted) return;
    if (body !== '') this.#sink.complete(head, new TextEncoder().encode(body));
    else this.head(status, headers).end();
  }
}

/** A site that keeps requests until the test responds. */
export class TestOrigin implements Upstream {
  readonly requests: ForwardedRequest[] = [];

  fetch(_request: CacheRequest, options: FetchOptions, sink: ResponseSink): Exchange {
    const request = new ForwardedRequest(options, sink);
    this.requests.push(request);
    return request;
  }

  pass(request: CacheRequest, sink: ResponseSink): Exchange {
    return this.fetch(request, { revalidationConditions: null, vary: [], isBackground: false }, sink);
  }

  get last(): ForwardedRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('no request was forwarded');
    return request;
  }
}
