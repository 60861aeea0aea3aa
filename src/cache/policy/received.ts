import type { ResponseHead } from '../../http/exchange.ts';
import type { CacheRule } from '../cache.ts';

/** A request that went to the site and the head that came back, with all that bears on whether and how it is kept. */
export interface Received {
  readonly method: 'GET' | 'HEAD';
  /** As the site got them, flat list: `Vary` is read against them. */
  readonly requestHeaders: readonly string[];
  /** Whether the request carried `Authorization` (RFC 9111 §3.5). */
  readonly authorized: boolean;
  readonly rule: CacheRule;
  /** See `CacheRequest`. */
  readonly unvarying?: readonly string[] | undefined;
  readonly head: ResponseHead;
  /** When the request left and when the head came: milliseconds since the epoch. */
  readonly requestTime: number;
  readonly responseTime: number;
}
