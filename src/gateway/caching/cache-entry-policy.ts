import type { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../../cache/policy/storability.ts';
import type { PurgeLabels } from '../../cache/store.ts';
import { createAddressKey, createCacheKey, type ResolvedCacheRule } from '../../cache/wordpress/cache-key.ts';
import { findPageToken, isHtml, type PageCaching } from '../../cache/wordpress/page-responses.ts';
import { type CacheBypassRules, findNonceMember } from '../../cache/wordpress/shared-requests.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { DocumentCacheTags, RouteReadScope } from './document-cache-tags.ts';
import type { StoreExclusions } from './store-exclusions.ts';

/** What decides how each entry of one site is cached. */
export interface SiteCachePolicy {
  readonly bypassRules: CacheBypassRules;
  /** See `CacheRequest.addsSurrogateKeys`. */
  readonly addsSurrogateKeys: boolean;
  /** Whether the class of the client's device is part of the key. */
  readonly separatesDevices: boolean;
  /** Whether HTML is stored that does not state its freshness. */
  readonly storesPages: boolean;
  readonly learning: DependencyLearning | null;
  readonly exclusions: StoreExclusions;
  readonly unstorablePages: UnstorablePages;
}

/** A resource that may be in the store, and how it is cached. It is memoized with its target: none of it depends on the client. */
export abstract class CacheEntryPolicy {
  readonly kind = 'resource';
  /** Whether it is a REST route. Route responses vary by `Origin`. */
  abstract readonly isRoute: boolean;
  /** Whether the site was discovered; `false` for a plain origin. */
  abstract readonly isWordPress: boolean;
  /** Whether it is requested without content coding, because its body must be read before it is stored. */
  abstract readonly readsBody: boolean;
  abstract readonly separatesDevices: boolean;
  /** Learns from the responses; `null` if nothing is learned from them. */
  abstract readonly learning: DependencyLearning | null;
  /** Parameters of the client that the site does not get, as in the query; empty if there are none. */
  abstract readonly ignoredQuery: string;
  readonly site: SiteCachePolicy;
  /** Separates the keys of this site from those of other sites in the store. */
  readonly storeScope: string;
  /** Path and query of the upstream request, without ignored parameters. */
  readonly upstreamTarget: string;
  /** The part of the cache key that identifies the resource within its site. */
  readonly resourceKey: string;
  /** The same with the path of the upstream request to a route, if it is not the usual one. Plugins read it. */
  readonly addressedKey: string;
  readonly rule: ResolvedCacheRule;
  protected readonly documentTags: DocumentCacheTags;
  /** Those of its address. */
  protected readonly tags: readonly string[];
  #lastPublicBase: string | undefined;
  #lastKey = '';

  constructor(
    site: SiteCachePolicy,
    documentTags: DocumentCacheTags,
    { addressedKey, resourceKey, rule, tags, upstreamTarget }: EntryDescription,
  ) {
    this.site = site;
    this.documentTags = documentTags;
    this.storeScope = documentTags.storeScope;
    this.upstreamTarget = upstreamTarget;
    this.resourceKey = resourceKey;
    this.addressedKey = addressedKey;
    this.rule = rule;
    this.tags = tags;
  }

  /** Returns the cache key. Most clients use one URL of the gateway, so the last key is memoized. */
  getKey(publicBase: string): string {
    if (publicBase !== this.#lastPublicBase) {
      this.#lastPublicBase = publicBase;
      this.#lastKey = createCacheKey(this.storeScope, publicBase, this.addressedKey);
    }
    return this.#lastKey;
  }

  /** Selects the rule by the response. */
  abstract selectRule(head: ResponseHead): CacheRule;

  /** See `CacheRequest.findUnshareableBodyReason`. */
  abstract findUnshareableBodyReason(head: ResponseHead, body: Uint8Array): string | null;

  /** @param publicBase the gateway's URL of the site, as the client sees it */
  abstract getPurgeLabels(head: ResponseHead, body: Uint8Array, publicBase: string): PurgeLabels;

  /** Receives the status of a response that could not be stored. */
  abstract onUnstorable(status: number): void;

  /** @param member that holds a nonce or a token; `undefined` if there is none */
  protected reportNonce(route: string, member: string | undefined): string | null {
    if (member === undefined) return null;
    this.site.exclusions.reportNonce(route, member);
    return 'nonce in body';
  }
}

/** The members of an entry that its target decides. */
interface EntryDescription {
  readonly upstreamTarget: string;
  readonly resourceKey: string;
  readonly addressedKey: string;
  readonly rule: ResolvedCacheRule;
  readonly tags: readonly string[];
}

/** How the responses of a route are cached. */
export class RouteEntryPolicy extends CacheEntryPolicy {
  readonly isRoute = true;
  readonly isWordPress = true;
  readonly readsBody = true;
  readonly ignoredQuery = '';
  readonly separatesDevices: boolean;
  readonly learning: DependencyLearning | null;
  /** Path template, or the route that has none. */
  readonly #name: string;
  readonly #scope: RouteReadScope;

  constructor(
    site: SiteCachePolicy,
    documentTags: DocumentCacheTags,
    description: EntryDescription,
    name: string,
    scope: RouteReadScope,
  ) {
    super(site, documentTags, description);
    this.separatesDevices = site.separatesDevices;
    this.learning = site.learning;
    this.#name = name;
    this.#scope = scope;
  }

  /**
   * A route that responds with a page is in maintenance, behind a firewall, or fails. Its page would be served for longer than
   * the site serves it.
   */
  selectRule({ headers }: ResponseHead): CacheRule {
    const isPage = /^text\/html\b/i.test(fieldValue(headers, 'content-type') ?? '');
    return isPage && !this.rule.statesTimes ? RFC_9111_RULE : this.rule.rule;
  }

  findUnshareableBodyReason(_: ResponseHead, body: Uint8Array): string | null {
    return this.reportNonce(this.#name, findNonceMember(body));
  }

  getPurgeLabels(head: ResponseHead, body: Uint8Array, publicBase: string): PurgeLabels {
    return this.documentTags.getRouteLabels(this.#scope, this.tags, head, body, publicBase);
  }

  onUnstorable(): void {}
}

/** How the responses of a page or a file are cached. */
export class PageEntryPolicy extends CacheEntryPolicy {
  readonly isRoute = false;
  readonly isWordPress: boolean;
  readonly readsBody: boolean;
  readonly ignoredQuery: string;
  readonly separatesDevices: boolean;
  readonly learning: DependencyLearning | null;
  /** `undefined` for a plain origin. */
  readonly #page: PageCaching | undefined;

  /** @param description with the configured rule */
  constructor(
    site: SiteCachePolicy,
    documentTags: DocumentCacheTags,
    description: Omit<EntryDescription, 'addressedKey' | 'resourceKey'>,
    page: PageCaching | undefined,
    ignoredQuery: string,
    learning: DependencyLearning | null,
  ) {
    const { rule, upstreamTarget } = description;
    const key = createAddressKey(upstreamTarget);
    const isPlain = page === undefined;
    const plainRule = { ...RFC_9111_RULE, ignoresReload: rule.rule.ignoresReload === true };
    super(site, documentTags, {
      ...description,
      addressedKey: key,
      resourceKey: key,
      rule: isPlain && !rule.statesTimes ? { ...rule, rule: plainRule } : rule,
    });
    this.isWordPress = !isPlain;
    this.readsBody = page?.readsBody === true;
    this.separatesDevices = !isPlain && site.separatesDevices;
    this.ignoredQuery = ignoredQuery;
    this.learning = learning;
    this.#page = page;
  }

  selectRule(head: ResponseHead): CacheRule {
    const { rule, statesTimes } = this.rule;
    return (statesTimes ? undefined : this.#page?.selectRule(head)) ?? rule;
  }

  /** What is no HTML has no form, and scripts in it do not run. */
  findUnshareableBodyReason(head: ResponseHead, body: Uint8Array): string | null {
    if (this.#page === undefined || !isHtml(head)) return null;
    const coding = fieldValue(head.headers, 'content-encoding') ?? 'identity';
    const unreadReason = this.site.storesPages ? 'content coding' : null;
    const reason = coding === 'identity' ? this.reportNonce('pages', findPageToken(body)) : unreadReason;
    if (reason !== null) this.onUnstorable(head.status);
    return reason;
  }

  getPurgeLabels(head: ResponseHead, _: Uint8Array, publicBase: string): PurgeLabels {
    return this.documentTags.getPageLabels(this.upstreamTarget, this.tags, head, publicBase);
  }

  onUnstorable(status: number): void {
    if (this.#page !== undefined) this.site.unstorablePages.add(this.upstreamTarget, status);
  }
}

/** RFC 9111 without configured freshness: the response's fields and the heuristic decide. */
const RFC_9111_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
  overridesResponse: false,
};

/** Maximum pages that are remembered. */
const MAX_PAGES = 4_096;
/** Milliseconds after which a page may use the store again, because the site may have changed. */
const EXPIRY = 600_000;

/**
 * Remembers pages of a site whose last response could not be stored. Their requests bypass the store for a while, so that
 * the site gets everything that the client sent: its address, its language, its browser.
 */
export class UnstorablePages {
  readonly #now: () => number;
  /** Time of expiry by key, the oldest first. */
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    const expiry = this.#expiries.get(key);
    return expiry !== undefined && this.#now() < expiry;
  }

  /** @param status of the response that could not be stored; errors and partial responses say nothing about the page */
  add(key: string, status: number): void {
    if (status >= 500 || status === 304 || status === 206 || status === 429) return;
    this.#expiries.delete(key);
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size >= MAX_PAGES && oldest !== undefined) this.#expiries.delete(oldest);
    this.#expiries.set(key, this.#now() + EXPIRY);
  }
}
