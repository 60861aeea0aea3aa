import type { ForwardReason } from '../http/cache-status.ts';
import type { Exchange, ResponseHead, ResponseSink } from '../http/exchange.ts';
import type { CacheRule } from './policy/freshness.ts';
import type { ReuseDecision } from './policy/reuse.ts';
import type { PurgeLabels, StoredResponse } from './store.ts';

/** A request that the cache may serve. It has no credentials: requests with credentials never reach the cache. */
export interface CacheRequest {
  /** Cache key: the same for all requests for a resource, however they are written (`wordpress/cache-key.ts`). */
  readonly key: string;
  /** The method that the site runs, after an override by `_method` or `X-HTTP-Method-Override`. */
  readonly method: 'GET' | 'HEAD';
  /** Flat list name, value, as the client sent it: with conditions, range, cache directives and accepted codings. */
  readonly headers: readonly string[];
  /**
   * Flat list name, value, as the origin receives it. Variants are computed from it, because a field that is not forwarded (RFC 9110
   * §7.6.1: any that `Connection` names) must not select a variant.
   */
  readonly forwardedHeaders: readonly string[];
  /**
   * Returns the variant key (`createVariantKey`): of the fields that the site gets if the request is forwarded with
   * {@link ForwardOptions.vary}, and after that of the fields that it has got.
   *
   * @param vary field names in lower case
   */
  getVariantKey(vary: readonly string[]): string;
  /** The configured freshness. */
  readonly rule: CacheRule;
  /**
   * Names, in lower case, of the request's header fields that may identify its client: `authorization`, `cookie`, an
   * unknown field. If there are any, the response is stored, and a stored response is served, only if that response
   * explicitly allows it (`permitsSharing`, RFC 9111 §3.5). Empty for a discovered site, where such a request does not
   * reach the cache.
   */
  readonly identifyingFields: readonly string[];
  /**
   * Names, in lower case, of fields that have the same value in all requests that the origin receives. `Vary` may list
   * them without effect. @default none
   */
  readonly ignoredVaryFields?: readonly string[] | undefined;
  /**
   * Finds a reason not to store or share a response, apart from the rules of HTTP. Each collapsed request is then
   * forwarded separately.
   *
   * @returns the reason as the `detail` of `Cache-Status`; `null` if there is none
   */
  findUnshareableReason(head: ResponseHead): string | null;
  /**
   * Finds a reason in the body of a storable response not to store or share it. Optional.
   *
   * @returns the reason as the `detail` of `Cache-Status`; `null` if there is none
   */
  findUnshareableBodyReason?(body: Uint8Array): string | null;
  /** Derives the names by which a complete response can be purged. */
  getPurgeLabels(head: ResponseHead, body: Uint8Array): PurgeLabels;
  /** Receives each complete response of the origin that may be stored. Optional. */
  onStorable?(response: StoredResponse): void;
  /** Receives the times of each response of the origin that must not be stored, and its status. Optional. */
  onNotStorable?(status: number, requestTime: number, responseTime: number): void;
}

/** How the cache changes a client's request before it is forwarded. */
export interface ForwardOptions {
  /** Flat list of fields that replace the client's conditions and range. `null`: the request is forwarded unchanged. */
  readonly revalidationConditions: readonly string[] | null;
  /**
   * Names, in lower case, of the fields by which stored responses of the key vary. The origin gets those of the client,
   * because their values are part of the key.
   */
  readonly vary: readonly string[];
  /** Whether no client waits for the response. Such a request continues after the client has gone. */
  readonly isBackground: boolean;
}

/**
 * Forwards a request to the origin. The sink gets heads that are ready for clients: without hop-by-hop fields and with
 * rewritten addresses. The cache may call the function several times for one request, even after the client has gone.
 */
export type ForwardToOrigin = (request: ForwardOptions, sink: ResponseSink) => Exchange;

/** What the cache would do with a request at this moment. */
export interface LookupExplanation {
  /** All stored responses of the key, newest first. */
  readonly responses: readonly StoredResponse[];
  /** The one that the request selects. */
  readonly selected: StoredResponse | undefined;
  /** How the selected one may be used; `undefined` if the request cannot be served from it. */
  readonly decision: ReuseDecision | undefined;
  /** Why the request would be forwarded (RFC 9211 §2.2); `undefined` if the store would serve it. */
  readonly forwardReason: ForwardReason | undefined;
  /** The `detail` of `Cache-Status`. */
  readonly forwardDetail: string | undefined;
}
