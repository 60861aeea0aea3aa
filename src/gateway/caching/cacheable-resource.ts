import { createAcceptEncodingNormalizer, normalizeAcceptEncoding } from '../../cache/accept-encoding.ts';
import type { PurgeLabels } from '../../cache/store.ts';
import { createCacheKey } from '../../cache/wordpress/cache-key.ts';
import type { ResolvedCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import { withoutCookies } from '../../cache/wordpress/store-eligibility.ts';
import type { ResponseHead } from '../../http/exchange.ts';

/** Properties of a requested resource that decide how it is cached. None depends on the client. */
export interface CacheableResourceProperties {
  /** Separates the keys of this site from those of other sites in the store. */
  readonly storeScope: string;
  /** Path and query of the upstream request, without ignored parameters. */
  readonly upstreamTarget: string;
  /**
   * Whether it is a REST route. Route responses are requested without content coding, so that their tags can be read from
   * the body, and vary by `Origin`.
   */
  readonly isRoute: boolean;
  /** Whether the site was discovered; `false` for a plain origin. */
  readonly isWordPress: boolean;
  /** The part of the cache key that identifies the resource within its site. */
  readonly resourceKey: string;
  readonly rule: ResolvedCacheRule;
  /** @param publicBase the gateway's URL of the site, as the client sees it */
  readonly getPurgeLabels: (head: ResponseHead, body: Uint8Array, publicBase: string) => PurgeLabels;
}

/** A resource that may be in the store, memoized with the request that resolved to it. */
export class CacheableResource {
  readonly properties: CacheableResourceProperties;
  #lastPublicBase: string | undefined;
  #lastKey = '';

  constructor(properties: CacheableResourceProperties) {
    this.properties = properties;
  }

  /** Returns the cache key. Most clients use one URL of the gateway, so the last key is memoized. */
  getKey(publicBase: string): string {
    if (publicBase !== this.#lastPublicBase) {
      const { resourceKey, storeScope } = this.properties;
      this.#lastPublicBase = publicBase;
      this.#lastKey = createCacheKey({ site: storeScope, publicBase, resource: resourceKey });
    }
    return this.#lastKey;
  }
}

const acceptEncodingNormalizer = createAcceptEncodingNormalizer();

/** Removes cookies from upstream headers and normalizes `Accept-Encoding`, so that neither influences a stored response. */
export function toSharedRequestHeaders(
  headers: string[],
  { isRoute, isWordPress }: CacheableResourceProperties,
): string[] {
  const withoutIdentity = isWordPress ? withoutCookies(headers) : headers;
  return isRoute ? withoutIdentity : normalizeAcceptEncoding(withoutIdentity, acceptEncodingNormalizer);
}
