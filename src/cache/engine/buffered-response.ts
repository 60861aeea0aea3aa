import type { CacheStatus } from '../../http/cache-status.ts';
import { completeDraft, type OriginResponse } from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchSpec } from './fetch-spec.ts';
import {
  createFollowerFilter,
  createSharedResponse,
  parseContentLength,
  type Shareability,
} from './shareability.ts';

/** A response that followers may share, while its body is being collected: the state `buffering` of a fetch. */
export class BufferedResponse {
  readonly kind = 'buffering';
  readonly isExchangeOver = false;
  readonly shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly body: BodyBuffer;
  readonly cacheStatus: CacheStatus;
  /** Whether the response is also the response to this client's request. */
  readonly canServe: (client: ClientExchange) => boolean;
  readonly #spec: FetchSpec;
  readonly #response: OriginResponse;

  constructor(
    spec: FetchSpec,
    { limits }: EngineContext,
    response: OriginResponse,
    shareability: Exclude<Shareability, { kind: 'leader' }>,
  ) {
    const fwd = spec.forwardReason;
    this.shareability = shareability;
    this.body = new BodyBuffer(limits.maxEntryBytes, parseContentLength(response.head));
    this.cacheStatus =
      shareability.kind === 'stored' ? { fwd, stored: true } : { fwd, detail: shareability.detail };
    this.canServe = createFollowerFilter(spec, response.head, shareability);
    this.#spec = spec;
    this.#response = response;
  }

  get isStorable(): boolean {
    return this.shareability.kind === 'stored';
  }

  /** `Vary` of a response that will be stored. */
  get vary(): readonly string[] | undefined {
    return this.shareability.kind === 'stored' ? this.shareability.draft.vary : undefined;
  }

  /**
   * Creates the complete response for the store and the followers.
   *
   * @returns `null` where the length of the body differs from `Content-Length`
   */
  toCompleteResponse(): StoredResponse | null {
    const body = this.body.bytes();
    if (this.shareability.kind !== 'stored') return createSharedResponse(this.#response, body);
    const tags = this.#spec.request.getTags(this.#response.head, body);
    return completeDraft(this.shareability.draft, body, tags);
  }
}
