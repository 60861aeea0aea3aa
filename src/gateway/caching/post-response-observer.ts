import { BodyBuffer } from '../../cache/engine/body-buffer.ts';
import { createOriginResponse } from '../../cache/engine/stored-updates.ts';
import type { CacheRequest, HttpCache } from '../../cache/http-cache.ts';
import { completeDraft, createPostDraft, isRepresentationOfTarget } from '../../cache/policy/index.ts';
import type { StoredResponse, StoredResponseDraft } from '../../cache/store.ts';
import { parseContentLength } from '../../http/content-length.ts';
import type { ResponseHead, UpstreamFailure } from '../../http/exchange.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import type { RelayedHead, ResponseObserver } from '../plan/plan.ts';

/** Options of {@link PostResponseObserver}. */
export interface PostResponseOptions {
  readonly cache: HttpCache;
  /** The absolute URI of the `POST` at the site. */
  readonly target: string;
  /** Creates a `GET` request for the target with the fields of the `POST`; `null` if it may not use the store. */
  readonly createReadRequest: () => CacheRequest | null;
  readonly toRelayedHead: (head: ResponseHead) => RelayedHead;
  /** Invalidates what the `POST` changes. */
  readonly writeObserver: ResponseObserver;
}

/**
 * Observes the response to a `POST` to a plain origin. After the invalidation by the `POST` it stores the response for later
 * reads, if the response is a representation of the target (RFC 9110 §9.3.3).
 */
export class PostResponseObserver implements ResponseObserver {
  readonly outlivesClient: boolean;
  readonly #options: PostResponseOptions;
  /** Before the request is sent, so that any purge from then on refuses the response. */
  readonly #requestTime: number;
  #stored: BufferedPostResponse | null = null;

  constructor(options: PostResponseOptions) {
    this.outlivesClient = options.writeObserver.outlivesClient === true;
    this.#options = options;
    this.#requestTime = options.cache.clock.now();
  }

  head(head: ResponseHead): void {
    this.#options.writeObserver.head(head);
    this.#stored = this.#begin(head);
  }

  write(chunk: Uint8Array): void {
    this.#options.writeObserver.write?.(chunk);
    if (this.#stored?.add(chunk) === false) this.#stored = null;
  }

  end(): void | Promise<void> {
    const { cache, writeObserver } = this.#options;
    const stored = this.#stored;
    const response = stored?.complete() ?? null;
    if (stored === null || response === null || cache.store.putAfterPurge === undefined) {
      return writeObserver.end?.();
    }
    return cache.store.putAfterPurge(stored.request.key, response, () => writeObserver.end?.());
  }

  clientGone(): void {
    this.#options.writeObserver.clientGone?.();
  }

  fail(failure: UpstreamFailure): void {
    this.#stored = null;
    this.#options.writeObserver.fail?.(failure);
  }

  #begin(head: ResponseHead): BufferedPostResponse | null {
    const { cache, createReadRequest, target, toRelayedHead } = this.#options;
    if (cache.store.putAfterPurge === undefined || !isRepresentationOfTarget(head, target)) return null;
    const request = createReadRequest();
    if (request === null) return null;
    const { bodyRewriter, headers } = toRelayedHead(head);
    const relayed = { status: head.status, reason: head.reason, headers };
    const { maxEntryBytes } = cache.limits;
    if ((parseContentLength(headers) ?? 0) > maxEntryBytes) return null;
    if (request.findUnshareableReason(relayed) !== null) return null;
    const draft = createPostDraft(
      createOriginResponse(request, relayed, this.#requestTime, cache.clock.now()),
    );
    return draft === null
      ? null
      : new BufferedPostResponse(request, relayed, draft, maxEntryBytes, bodyRewriter);
  }
}

/** A storable response to a `POST` whose body is being collected. */
class BufferedPostResponse {
  readonly request: CacheRequest;
  readonly #head: ResponseHead;
  readonly #draft: StoredResponseDraft;
  readonly #body: BodyBuffer;
  readonly #rewriter: BodyRewriter | undefined;

  constructor(
    request: CacheRequest,
    head: ResponseHead,
    draft: StoredResponseDraft,
    maxBytes: number,
    rewriter: BodyRewriter | undefined,
  ) {
    this.request = request;
    this.#head = head;
    this.#draft = draft;
    this.#body = new BodyBuffer(maxBytes, parseContentLength(head.headers));
    this.#rewriter = rewriter;
  }

  /** @returns false if the body is too large */
  add(chunk: Uint8Array): boolean {
    return this.#body.add(this.#rewriter === undefined ? chunk : this.#rewriter.write(chunk));
  }

  /** @returns `null` if the body is too large, or if its length differs from `Content-Length` */
  complete(): StoredResponse | null {
    if (this.#rewriter !== undefined && !this.#body.add(this.#rewriter.end())) return null;
    const body = this.#body.bytes();
    return completeDraft(this.#draft, body, this.request.getPurgeLabels(this.#head, body));
  }
}
