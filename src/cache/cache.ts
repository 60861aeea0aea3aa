import type { Exchange, ResponseHead, ResponseSink } from '../http/exchange.ts';
import type { CacheStore } from './store.ts';

/** What a request that may be served from the store brings with it. Credentials have been looked for before. */
export interface CacheRequest {
  /** The primary key, made once from what the request means (`key.ts`). */
  readonly key: string;
  /** The method that the site runs. */
  readonly method: 'GET' | 'HEAD';
  /** Flat list, as the caller sent it: conditions, ranges, directives and codings are read from it. */
  readonly headers: readonly string[];
  /**
   * Flat list, as the site gets it. A caller's field that goes no further than the gateway (RFC 9110 §7.6.1: any that
   * `Connection` names) must not say what an answer is kept as.
   */
  readonly forwardedHeaders: readonly string[];
  /**
   * What {@link forwardedHeaders} says in the fields that `Vary` names (`variantOf`). A question of its own, because mostly it can be
   * answered without making that list.
   *
   * @param vary names, lower case
   */
  variant(vary: readonly string[]): string;
  /** What is assumed where the site says nothing, or whatever it says. */
  readonly rule: CacheRule;
  /** Whether the request carries credentials (RFC 9111 §3.5); always false in front of a discovered site. */
  readonly authorized: boolean;
  /**
   * Fields, lower case, of which the site sees the same whoever asks: an answer that varies by them is one answer.
   * @default none
   */
  readonly ignoredVary?: readonly string[] | undefined;
  /**
   * Whether an answer may be kept and given to others, beyond what HTTP says of it: not one that sets a cookie or
   * carries a nonce. Asked once its head is there; where it may not, collapsed requests ask for themselves.
   */
  isShareable(head: ResponseHead): boolean;
  /** Tags of a complete answer of the site. */
  getTags(head: ResponseHead, body: Uint8Array): readonly string[];
}

/** Freshness by configuration, in seconds. */
export interface CacheRule {
  /** Freshness lifetime by status; `undefined` leaves it to the answer and the heuristic (RFC 9111 §4.2.2). */
  readonly ttl: (status: number) => number | undefined;
  readonly staleWhileRevalidate: number;
  readonly staleIfError: number;
  /** Whether the rule wins over what the site says, where that does not forbid to store. @default false */
  readonly override: boolean;
}

/** What is asked of the site beyond the caller's own request. */
export interface ForwardOptions {
  /** Conditions of a revalidation, flat list; they replace the caller's own conditions and range. `null`: as it came. */
  readonly conditions: readonly string[] | null;
  /** A request that no caller waits for: it carries none of the caller's body and survives the caller. */
  readonly background: boolean;
}

/**
 * Asks the site. The heads that the sink sees are those that go out: hop-by-hop fields dropped, addresses rewritten.
 * May be called several times for one request, also after the caller has left.
 */
export type ForwardToOrigin = (request: ForwardOptions, sink: ResponseSink) => Exchange;

/** A shared cache (RFC 9111) over a store. */
export interface HttpCache {
  /**
   * Answers from the store, or asks the site and stores what may be stored. Where the answer is in memory the sink is
   * called before this returns. Each head that the sink gets has its `Cache-Status` (RFC 9211), and `Age` where it is due.
   */
  serve(request: CacheRequest, origin: ForwardToOrigin, sink: ResponseSink): Exchange;
  readonly store: CacheStore;
}
