import type { CacheStatus } from '../../http/cache-status.ts';
import { parseContentLength } from '../../http/content-length.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { combineParts, completeDraft, NOT_STORED_DETAILS, type OriginResponse } from '../policy/index.ts';
import {
  type Awaitable,
  createStoredResponse,
  type PurgeLabels,
  type StoredResponse,
  type StoredResponseDraft,
} from '../store.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { ClientExchange } from './client-exchange.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { createStorableStatus, createUnstoredStatus } from './fetch-status.ts';
import { createFollowerFilter, createSharedResponse, type Shareability } from './shareability.ts';

/** A response whose body is being collected for followers: the state `buffering` of a fetch. */
export class BufferedResponse {
  readonly kind = 'buffering';
  readonly isExchangeOver = false;
  readonly shareability: Exclude<Shareability, { kind: 'leader' }>;
  readonly body: BodyBuffer;
  /** As the origin sent it. */
  readonly head: ResponseHead;
  /** Whether a follower may get this response. */
  readonly canServe: (client: ClientExchange) => boolean;
  /** A reason in the body not to store the response, once it is complete; `null` if there is none. */
  bodyReason: string | null = null;
  readonly #spec: FetchSpec;
  readonly #maxBytes: number;
  readonly #response: OriginResponse;

  constructor(
    spec: FetchSpec,
    { limits }: EngineContext,
    response: OriginResponse,
    shareability: Exclude<Shareability, { kind: 'leader' }>,
  ) {
    this.shareability = shareability;
    this.body = new BodyBuffer(limits.maxEntryBytes, parseContentLength(response.head.headers));
    this.head = response.head;
    this.canServe = createFollowerFilter(spec, response.head, shareability);
    this.#spec = spec;
    this.#maxBytes = limits.maxEntryBytes;
    this.#response = response;
  }

  get isStorable(): boolean {
    return this.shareability.kind === 'storable';
  }

  /** The response to be stored, without its body; undefined if it will not be stored. */
  get draft(): StoredResponseDraft | undefined {
    return this.shareability.kind === 'storable' ? this.shareability.draft : undefined;
  }

  /**
   * Creates the `Cache-Status` of the response.
   *
   * @param isStored see {@link createStorableStatus}; without effect on a response that cannot be stored
   * @param refusal why a storable response is not stored after all
   */
  createStatus(isStored: Awaitable<boolean> | undefined, refusal?: string): CacheStatus {
    if (this.shareability.kind !== 'storable')
      return createUnstoredStatus(this.#spec, this.shareability.detail);
    return refusal === undefined
      ? createStorableStatus(this.#spec, isStored)
      : createUnstoredStatus(this.#spec, refusal);
  }

  /** Field names in `Vary`; undefined if the response will not be stored. */
  get vary(): readonly string[] | undefined {
    return this.draft?.vary;
  }

  /**
   * Creates the complete response for the store and the followers.
   *
   * @returns `null` if the length of the body differs from `Content-Length`, or if there is a {@link bodyReason}
   */
  toCompleteResponse(): StoredResponse | null {
    const body = this.body.bytes();
    const { shareability } = this;
    if (shareability.kind !== 'storable') return createSharedResponse(this.#response, body);
    try {
      return this.#toStoredResponse(shareability.draft, body);
    } catch {
      // A defect in the analysis of a body must not leave the clients without a response.
      this.bodyReason = NOT_STORED_DETAILS.analysisFailed;
      return null;
    }
  }

  #toStoredResponse(draft: StoredResponseDraft, body: Uint8Array): StoredResponse | null {
    const { request } = this.#spec;
    this.bodyReason = request.findUnshareableBodyReason?.(body) ?? null;
    if (this.bodyReason !== null) return null;
    const labels = request.getPurgeLabels(this.#response.head, body);
    if (draft.status === 206) return this.#combineParts(draft, body, labels);
    const complete = completeDraft(draft, body, labels);
    if (complete !== null) request.onStorable?.(complete);
    return complete;
  }

  /** Adds a stored part of the same representation. All purge labels of the parts apply to the result. */
  #combineParts(draft: StoredResponseDraft, body: Uint8Array, labels: PurgeLabels): StoredResponse | null {
    const { part } = this.#spec;
    const combined = combineParts(part, draft, body, this.#maxBytes);
    if (combined === null) return null;
    const tags = [...new Set([...labels.tags, ...(part?.tags ?? [])])];
    return createStoredResponse(combined.draft, combined.draft.headers, combined.body, { ...labels, tags });
  }
}
