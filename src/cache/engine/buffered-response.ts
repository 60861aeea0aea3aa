import type { CacheStatus } from '../../http/cache-status.ts';
import { parseContentLength } from '../../http/content-length.ts';
import { completeDraft, type OriginResponse } from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { createFollowerFilter, createSharedResponse, type Shareability } from './shareability.ts';

/** A response whose body is being collected for followers: the state `buffering` of a fetch. */
export class BufferedResponse {
  readonly kind = 'buffering';
  readonly isExchangeOver = false;
  readonly shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly body: BodyBuffer;
  readonly cacheStatus: CacheStatus;
  /** Whether a follower may get this response. */
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
    this.body = new BodyBuffer(limits.maxEntryBytes, parseContentLength(response.head.headers));
    this.cacheStatus =
      shareability.kind === 'storable' ? { fwd, stored: true } : { fwd, detail: shareability.detail };
    this.canServe = createFollowerFilter(spec, response.head, shareability);
    this.#spec = spec;
    this.#response = response;
  }

  get isStorable(): boolean {
    return this.shareability.kind === 'storable';
  }

  /** Field names in `Vary`; undefined if the response will not be stored. */
  get vary(): readonly string[] | undefined {
    return this.shareability.kind === 'storable' ? this.shareability.draft.vary : undefined;
  }

  /**
   * Creates the complete response for the store and the followers.
   *
   * @returns `null` if the length of the body differs from `Content-Length`
   */
  toCompleteResponse(): StoredResponse | null {
    const body = this.body.bytes();
    if (this.shareability.kind !== 'storable') return createSharedResponse(this.#response, body);
    const labels = this.#spec.request.getPurgeLabels(this.#response.head, body);
    return completeDraft(this.shareability.draft, body, labels);
  }
}
