import type { Exchange, ResponseHead, ResponseSink } from '../http/exchange.ts';
import type { CacheStore } from './store.ts';

/** A request that the cache may serve. Requests with credentials are excluded before. */
export interface CacheRequest {
  /** Cache key: identifies the resource, whatever the spelling of the request (`wordpress/cache-key.ts`). */
  readonly key: string;
  /** The effective method. */
  readonly method: 'GET' | 'HEAD';
  /** Flat list as the client sent it; contains conditions, range, cache directives and accepted codings. */
  readonly headers: readonly string[];
  /**
   * Flat list as the origin receives it. Variants are computed from it, because a field that is not forwarded (RFC 9110
   * §7.6.1: any that `Connection` names) must not select a variant.
   */
  readonly forwardedHeaders: readonly string[];
  /**
   * Creates the variant key of {@link forwardedHeaders} (`createVariantKey`). A method, because it can often do without
   * creating that list.
   *
   * @param vary field names in lower case
   */
  getVariantKey(vary: readonly string[]): string;
  /** Configured freshness, for responses that state none or with precedence over what they state. */
  readonly rule: CacheRule;
  /** Whether the request carries `Authorization` (RFC 9111 §3.5); always false for a discovered site. */
  readonly hasAuthorization: boolean;
  /**
   * Field names, in lower case, whose values the gateway makes the same in all requests: they are ignored in `Vary`.
   * @default none
   */
  readonly ignoredVaryFields?: readonly string[] | undefined;
  /**
   * Whether a response may be stored and shared, beyond the rules of HTTP: not if it sets a cookie or contains a nonce.
   * Called with its head; if false, collapsed requests are forwarded by themselves.
   */
  isShareable(head: ResponseHead): boolean;
  /** Derives the tags of a complete response of the origin, by which it can be purged. */
  getTags(head: ResponseHead, body: Uint8Array): readonly string[];
}

/** Configured freshness, in seconds. */
export interface CacheRule {
  /** Freshness lifetime by status; `undefined` leaves it to the response and the heuristic (RFC 9111 §4.2.2). */
  readonly getTtl: (status: number) => number | undefined;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** Whether the rule has precedence over the response's own lifetime, if the response may be stored. @default false */
  readonly overridesResponse: boolean;
}

/** How the cache changes a client's request before it is forwarded. */
export interface ForwardOptions {
  /** Conditions of a revalidation, flat list; they replace the client's conditions and range. `null`: no change. */
  readonly revalidationConditions: readonly string[] | null;
  /** Whether no client waits for it: it has no body, and continues after the client has gone. */
  readonly isBackground: boolean;
}

/**
 * Forwards a request to the origin. The sink gets heads that are ready for clients: without hop-by-hop fields, with
 * addresses rewritten. The cache may call it several times for one request, also after the client has gone.
 */
export type ForwardToOrigin = (request: ForwardOptions, sink: ResponseSink) => Exchange;

/** A shared cache (RFC 9111) over a store. */
export interface HttpCache {
  /**
   * Serves a request from the store, or forwards it and stores the response if allowed. For a hit in memory the sink is
   * called before this returns. Each head that the sink gets has `Cache-Status` (RFC 9211), and a stored one `Age`.
   */
  serve(request: CacheRequest, origin: ForwardToOrigin, sink: ResponseSink): Exchange;
  readonly store: CacheStore;
}
