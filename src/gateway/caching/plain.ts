import type { CacheRequest, CacheRule } from '../../cache/cache.ts';
import { invalidated, isSafe } from '../../cache/policy/index.ts';
import type { CacheStore } from '../../cache/store.ts';
import { cacheKey, pageKey } from '../../cache/wordpress/key.ts';
import { hasField } from '../../http/fields.ts';
import type { AnswerHead } from '../../upstream/exchange.ts';
import type { AnswerObserver, RequestHead } from '../plan.ts';
import type { Storable } from './storable.ts';

/** Nothing is assumed: what an answer says of itself, and the heuristic of RFC 9111 §4.2.2. */
const BY_THE_RFC: CacheRule = {
  ttl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  override: false,
};

const anybodys = (): boolean => true;

/**
 * A read through a plain reverse proxy, of which nothing is known but what HTTP says: the key is the address. Null where
 * it is no read.
 *
 * @param origin scheme, host and port of the site
 */
export function storableByAddress(
  origin: string,
  address: string,
  { headers, method }: RequestHead,
): Storable | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const resource = pageKey(address);
  return {
    address,
    isRoute: false,
    sent: (sent) => sent,
    request: (publicBase): CacheRequest => ({
      key: cacheKey({ site: origin, publicBase, resource }),
      method,
      headers,
      rule: BY_THE_RFC,
      authorized: hasField(headers, 'authorization'),
      mayShare: anybodys,
      tagsOf: () => [origin, tagOf(normalised(origin + address))],
    }),
  };
}

/** As `invalidated` writes addresses. */
function normalised(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return origin + pathname + search;
}

/** Whatever the caller called the gateway, it is one answer of the site: it is purged by this tag. */
function tagOf(url: string): string {
  return `U${url}`;
}

/**
 * Sees the answer to an unsafe request, and purges what it makes void (RFC 9111 §4.4) before the caller has the end of
 * it, so that their next read is of what they wrote. Null where the method is safe.
 */
export function invalidatesByAddress(
  store: CacheStore,
  origin: string,
  address: string,
  method: string,
): AnswerObserver | null {
  if (isSafe(method)) return null;
  let purging: Promise<unknown> | undefined;
  return {
    head(head: AnswerHead) {
      const urls = invalidated(method, origin + address, head);
      if (urls.length === 0) return;
      const purged = store.purge({ kind: 'tags', tags: urls.map(tagOf) }, 'hard');
      if (purged instanceof Promise) purging = purged;
    },
    async end() {
      await purging;
    },
  };
}
