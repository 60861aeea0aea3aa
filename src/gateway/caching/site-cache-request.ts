import type { CacheRequest } from '../../cache/cache-request.ts';
import { normalizeAcceptEncoding } from '../../cache/compressor.ts';
import type { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import { type CacheRule, createVariantKey } from '../../cache/policy/storability.ts';
import type { PurgeLabels, StoredResponse } from '../../cache/store.ts';
import { createCacheKey, type ResolvedCacheRule } from '../../cache/wordpress/cache-key.ts';
import {
  type CacheBypassRules,
  findDeviceClass,
  findUnshareableReason,
  normalizeSharedFields,
  withoutCookies,
} from '../../cache/wordpress/shared-requests.ts';
import type { ResponseHead, ResponseSink } from '../../http/exchange.ts';
import { fieldValue, withoutFields } from '../../http/fields.ts';
import type { RequestHead } from '../../http/request-head.ts';

/** Properties of a requested resource that decide how it is cached. None depends on the client. */
export interface CacheEntryPolicy {
  /** Separates the keys of this site from those of other sites in the store. */
  readonly storeScope: string;
  /** Path and query of the upstream request, without ignored parameters. */
  readonly upstreamTarget: string;
  /** Whether it is a REST route. Route responses vary by `Origin`. */
  readonly isRoute: boolean;
  /** Whether it is requested without content coding, because its body must be read before it is stored. */
  readonly readsBody: boolean;
  /** Whether the site was discovered; `false` for a plain origin. */
  readonly isWordPress: boolean;
  /** See `CacheRequest.addsSurrogateKeys`. */
  readonly addsSurrogateKeys: boolean;
  /** Whether the class of the client's device is part of the key. */
  readonly separatesDevices: boolean;
  /** The part of the cache key that identifies the resource within its site. */
  readonly resourceKey: string;
  /** The same with the path of the upstream request to a route, if it is not the usual one. Plugins read it. */
  readonly addressedKey: string;
  readonly rule: ResolvedCacheRule;
  readonly bypassRules: CacheBypassRules;
  /** Receives the status of a response that could not be stored; absent for a route and for a plain origin. */
  readonly onUnstorable?: ((status: number) => void) | undefined;
  /** Selects the rule by the response. @default {@link rule} */
  readonly selectRule?: ((head: ResponseHead) => CacheRule | undefined) | undefined;
  /** See `CacheRequest.findUnshareableBodyReason`; absent for a plain origin. */
  readonly findUnshareableBodyReason?: ((head: ResponseHead, body: Uint8Array) => string | null) | undefined;
  /** Parameters of the client that the site does not get, as in the query; absent or empty if there are none. */
  readonly ignoredQuery?: string;
  /** Learns from the responses; `null` if nothing is learned from them. */
  readonly learning: DependencyLearning | null;
  /** @param publicBase the gateway's URL of the site, as the client sees it */
  readonly getPurgeLabels: (head: ResponseHead, body: Uint8Array, publicBase: string) => PurgeLabels;
}

/** A resource that may be in the store, memoized with the request that resolved to it. */
export class CacheEntry {
  readonly kind = 'resource';
  readonly policy: CacheEntryPolicy;
  #lastPublicBase: string | undefined;
  #lastKey = '';

  constructor(policy: CacheEntryPolicy) {
    this.policy = policy;
  }

  /** Returns the cache key. Most clients use one URL of the gateway, so the last key is memoized. */
  getKey(publicBase: string): string {
    if (publicBase !== this.#lastPublicBase) {
      this.#lastPublicBase = publicBase;
      this.#lastKey = createCacheKey(this.policy.storeScope, publicBase, this.policy.addressedKey);
    }
    return this.#lastKey;
  }
}

/** The header fields that the site gets. The list is built when it is needed: most cache hits do not need it. */
export interface UpstreamHeaders {
  /** Whether the site gets these fields (lower case) exactly as the client sent them, if they are part of the cache key. */
  areForwardedUnchanged(names: readonly string[]): boolean;
  /**
   * Returns the fields that the site gets if these further fields are part of the cache key; after the request was
   * forwarded, those that it has got. A flat list name, value, name, value.
   *
   * @param names in lower case
   */
  listForwarded(names: readonly string[]): readonly string[];
}

/** What is requested without content coding never varies by it. */
const CODING_FIELDS: readonly string[] = ['accept-encoding'];
/** All requests of one class of device have the same `User-Agent`. */
const DEVICE_FIELDS: readonly string[] = ['user-agent', 'sec-ch-ua-mobile'];
const CODING_AND_DEVICE_FIELDS: readonly string[] = [...CODING_FIELDS, ...DEVICE_FIELDS];

const NO_FIELDS: readonly string[] = [];
const PAGE_KEYED_FIELDS: readonly string[] = ['origin'];
/** See `sharing` in `http/request-fields.ts`. */
const PLAIN_KEYED_FIELDS: readonly string[] = ['origin', 'x-requested-with'];
/** Fields by which a client may prevent that a response is stored. */
const CLIENT_LIMITS = /^(?:cache-control|pragma|range)$/i;

/** One client's request for a cacheable resource, as the cache reads it. */
export class SiteCacheRequest<Received extends UpstreamHeaders = UpstreamHeaders> implements CacheRequest {
  readonly key: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: readonly string[];
  readonly identifyingFields: readonly string[];
  readonly #policy: CacheEntryPolicy;
  readonly #publicBase: string;
  /** The request as the gateway has received it. */
  readonly received: Received;

  constructor(resource: CacheEntry, head: RequestHead, publicBase: string, received: Received) {
    const { headers, method } = head;
    const { policy } = resource;
    const { bypassRules, isRoute, isWordPress, rule } = policy;
    const key =
      rule.keyRule.headers.length === 0
        ? resource.getKey(publicBase)
        : createKeyWithHeaders(
            policy,
            publicBase,
            received.areForwardedUnchanged(rule.keyRule.headers)
              ? headers
              : received.listForwarded(NO_FIELDS),
          );
    const ofDevice = policy.separatesDevices ? `${key}\n${findDeviceClass(headers)}` : key;
    // The responses of routes vary by `Origin`. Other responses may not say so.
    this.key = isRoute
      ? ofDevice
      : appendFields(ofDevice, headers, isWordPress ? PAGE_KEYED_FIELDS : PLAIN_KEYED_FIELDS);
    this.method = method === 'HEAD' ? 'HEAD' : 'GET';
    this.headers = isWordPress ? withoutCookies(headers) : headers;
    this.identifyingFields = isWordPress ? NO_FIELDS : bypassRules.listIdentifyingFields(headers);
    this.#policy = policy;
    this.#publicBase = publicBase;
    this.received = received;
  }

  get forwardedHeaders(): readonly string[] {
    return this.received.listForwarded(NO_FIELDS);
  }

  get rule(): CacheRule {
    return this.#policy.rule.rule;
  }

  selectRule(head: ResponseHead): CacheRule {
    const { rule, selectRule } = this.#policy;
    return selectRule?.(head) ?? rule.rule;
  }

  get ignoredVaryFields(): readonly string[] | undefined {
    const { readsBody, separatesDevices } = this.#policy;
    if (separatesDevices) return readsBody ? CODING_AND_DEVICE_FIELDS : DEVICE_FIELDS;
    return readsBody ? CODING_FIELDS : undefined;
  }

  getVariantKey(vary: readonly string[]): string {
    // All responses of routes vary by it, and most requests do not have it.
    if (vary.length === 1 && vary[0] === 'origin' && fieldValue(this.headers, 'origin') === undefined)
      return '';
    const isUnchanged = this.received.areForwardedUnchanged(vary);
    const headers = isUnchanged ? this.headers : this.received.listForwarded(vary);
    return createVariantKey(vary, headers, this.#policy.isWordPress);
  }

  /** What is read before it is stored is hashed too. */
  get addsEntityTag(): boolean {
    return this.#policy.readsBody;
  }

  get addsSurrogateKeys(): boolean {
    return this.#policy.addsSurrogateKeys;
  }

  findUnshareableReason(head: ResponseHead): string | null {
    return this.#policy.isWordPress ? findUnshareableReason(head) : null;
  }

  findUnshareableBodyReason(head: ResponseHead, body: Uint8Array): string | null {
    return this.#policy.findUnshareableBodyReason?.(head, body) ?? null;
  }

  onStorable(response: StoredResponse): void {
    this.#policy.learning?.observeStored(this.key, response);
  }

  onNotStorable(status: number, requestTime: number, responseTime: number): void {
    if (this.method === 'HEAD') return;
    // The client's own directives and ranges say nothing about the page.
    const isOrdinary = !this.headers.some((name, at) => at % 2 === 0 && CLIENT_LIMITS.test(name));
    if (isOrdinary) this.#policy.onUnstorable?.(status);
    this.#policy.learning?.observeNotStored(this.key, status, requestTime, responseTime);
  }

  getPurgeLabels(head: ResponseHead, body: Uint8Array): PurgeLabels {
    return this.#policy.getPurgeLabels(head, body, this.#publicBase);
  }
}

/**
 * Changes the headers of a request that may use the store, so that they contain nothing that the cache does not know: for
 * a WordPress site nothing that is not in the key, for a plain origin no cookies that are harmless. `Accept-Encoding`
 * becomes one of a few values.
 *
 * @param headers of the request to the site: flat list name, value
 * @param keyedFields names in lower case of fields that are part of the key
 * @param received the fields that the client sent
 */
export function toSharedRequestHeaders(
  headers: string[],
  { bypassRules, isWordPress, readsBody, separatesDevices }: CacheEntryPolicy,
  keyedFields: ReadonlySet<string>,
  received: readonly string[],
): string[] {
  if (isWordPress) {
    const device = separatesDevices ? findDeviceClass(received) : 'desktop';
    const shared = normalizeSharedFields(withoutCookies(headers), keyedFields, device);
    return readsBody ? shared : normalizeAcceptEncoding(shared);
  }
  const hasClientCookies = bypassRules.listIdentifyingFields(headers).includes('cookie');
  return normalizeAcceptEncoding(hasClientCookies ? headers : withoutCookies(headers));
}

function appendFields(key: string, headers: readonly string[], names: readonly string[]): string {
  let extended = key;
  for (const name of names) {
    const value = fieldValue(headers, name);
    if (value !== undefined) extended += `\n${name} ${value}`;
  }
  return extended;
}

/** Adds the values of the fields that the cache rule names, as the site gets them, to the key. */
function createKeyWithHeaders(
  policy: CacheEntryPolicy,
  publicBase: string,
  headers: readonly string[],
): string {
  const values = policy.rule.keyRule.headers.map((name) => fieldValue(headers, name) ?? null);
  const { addressedKey, storeScope } = policy;
  return createCacheKey(storeScope, publicBase, `${addressedKey}\n${JSON.stringify(values)}`);
}

/**
 * Adds parameters that the site did not get to the redirects of the site to itself: it would have repeated them
 * (`redirect_canonical()`), and the scripts of the next page may read them.
 *
 * @param query without question mark
 * @param publicBase the gateway's URL of the site
 */
export function keepParametersInRedirects(
  sink: ResponseSink,
  query: string,
  publicBase: string,
): ResponseSink {
  const add = (head: ResponseHead): ResponseHead => {
    const location =
      head.status < 300 || head.status > 399 ? undefined : fieldValue(head.headers, 'location');
    const isOwn = location?.startsWith(`${publicBase}/`) === true || /^\/(?!\/)/.test(location ?? '');
    if (location === undefined || !isOwn) return head;
    const [address = '', fragment] = location.split(/#(.*)/s, 2);
    const extended = `${address}${address.includes('?') ? '&' : '?'}${query}`;
    const headers = withoutFields(head.headers, LOCATION);
    headers.push('Location', fragment === undefined ? extended : `${extended}#${fragment}`);
    return { ...head, headers };
  };
  return {
    interim: (head) => sink.interim?.(head),
    head: (head) => sink.head(add(head)),
    write: (chunk) => sink.write(chunk),
    end: (trailers) => sink.end(trailers),
    fail: (failure) => sink.fail(failure),
    ...(sink.complete === undefined
      ? {}
      : { complete: (head: ResponseHead, body: Uint8Array) => sink.complete?.(add(head), body) }),
  };
}

const LOCATION: ReadonlySet<string> = new Set(['location']);
