import type { ForwardReason } from '../../http/cache-status.ts';
import type { CacheRequest, ForwardToOrigin } from '../cache.ts';
import type { RequestDirectives } from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';

/** One request to the site, and why it is made. */
export interface FetchSpec {
  /** What others who come meanwhile find it by; `null` where they are not to share it. */
  readonly collapseKey: string | null;
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly forward: ForwardToOrigin;
  /** See `OriginRequest`. */
  readonly conditions: readonly string[] | null;
  /** The stored answer that it is to confirm, and that stands in where the site fails. */
  readonly stored: StoredResponse | undefined;
  /** `responseTime` of the newest answer under the key. */
  readonly newestResponseTime: number | undefined;
  readonly reason: ForwardReason;
  /** Nobody waits for it. */
  readonly background: boolean;
}

/** What requests that would get the same answer have in common, as far as it is known what the answer varies by. */
export function collapseKey(request: CacheRequest, vary: readonly string[]): string {
  return vary.length === 0 ? request.key : `${request.key}\n${request.variant(vary)}`;
}
