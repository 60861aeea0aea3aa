import { createAcceptEncodingNormalizer, normalizeAcceptEncoding } from '../../cache/accept-encoding.ts';
import type { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import type { PurgeLabels } from '../../cache/store.ts';
import { createCacheKey } from '../../cache/wordpress/cache-key.ts';
import type { ResolvedCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import { normalizeSharedFields } from '../../cache/wordpress/shared-request-fields.ts';
import { type StoreEligibility, withoutCookies } from '../../cache/wordpress/store-eligibility.ts';
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
  readonly eligibility: StoreEligibility;
  /** Receives the status of a response that could not be stored; absent for a route and for a plain origin. */
  readonly onUnstorable?: ((status: number) => void) | undefined;
  /** Receives the name of a member of a body that holds a nonce; absent for what is no route. */
  readonly reportNonce?: ((member: string) => void) | undefined;
  /** Learns from the responses; `null` if nothing is learned from them. */
  readonly learning: DependencyLearning | null;
  /** @param publicBase the gateway's URL of the site, as the client sees it */
  readonly getPurgeLabels: (head: ResponseHead, body: Uint8Array, publicBase: string) => PurgeLabels;
}

/** A resource that may be in the store, memoized with the request that resolved to it. */
export class CacheableResource {
  readonly kind = 'resource';
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

/**
 * Changes the headers of a request that may use the store, so that they contain nothing that the cache does not know: for
 * a WordPress site nothing that is not in the key, for a plain origin no cookies that are harmless. `Accept-Encoding`
 * becomes one of a few values.
 *
 * @param headers of the request to the site: flat list name, value
 * @param keyedFields names in lower case of fields that are part of the key
 */
export function toSharedRequestHeaders(
  headers: string[],
  { eligibility, isRoute, isWordPress }: CacheableResourceProperties,
  keyedFields: ReadonlySet<string>,
): string[] {
  if (isWordPress) {
    const shared = normalizeSharedFields(withoutCookies(headers), keyedFields);
    return isRoute ? shared : normalizeAcceptEncoding(shared, acceptEncodingNormalizer);
  }
  const hasClientCookies = eligibility.listIdentifyingFields(headers).includes('cookie');
  return normalizeAcceptEncoding(
    hasClientCookies ? headers : withoutCookies(headers),
    acceptEncodingNormalizer,
  );
}
