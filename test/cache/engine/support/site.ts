import type { ForwardOptions, ForwardToOrigin } from '../../../../src/cache/cache.ts';
import type { Exchange, UpstreamFailureKind, ResponseSink } from '../../../../src/http/exchange.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** One request that reached the site; answered when the test says so. */
export class SiteRequest implements Exchange {
  readonly asked: ForwardOptions;
  readonly #sink: ResponseSink;
  aborted = false;
  resumed = 0;

  constructor(asked: ForwardOptions, sink: ResponseSink) {
    this.asked = asked;
    this.#sink = sink;
  }

  resume(): void {
    this.resumed += 1;
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

  answer({ status = 200, headers = ['Cache-Control', 'max-age=60'], body = 'body' }: Answer = {}): void {
    this.head(status, headers);
    if (body !== '') this.write(body);
    this.end();
  }
}

/** A site that keeps its requests until they are answered, or answers at once where it is told how. */
export class Site {
  readonly requests: SiteRequest[] = [];
  answering: ((request: SiteRequest, number: number) => void) | undefined;

  readonly origin: ForwardToOrigin = (asked, sink) => {
    const request = new SiteRequest(asked, sink);
    this.requests.push(request);
    this.answering?.(request, this.requests.length);
    return request;
  };

  get last(): SiteRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('the site was not asked');
    return request;
  }
}
