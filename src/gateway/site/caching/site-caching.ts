import type { IncomingRequestHead, RequestHead } from '../../../base/http/exchange.ts';
import type { SiteCacheOptions } from '../../../base/option-types.ts';
import type { Environment } from '../../../base/ports.ts';
import { runInSlices, visitInSteps } from '../../../base/steps.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import { isSelected, type PurgeMode, type PurgeSelection, type StoredResponse } from '../../cache/store.ts';
import {
  type CacheBypass,
  CacheBypassRules,
  createBypass,
  findPersonalSegment,
  isCodeFile,
  StoreExclusions,
} from '../../wordpress/bypass-rules.ts';
import {
  anyQueryPageTag,
  anyQueryRouteTag,
  atSubsite,
  CODE_FILES,
  createAddressKey,
  createRouteKey,
  type DeclaredNames,
  EVERYTHING,
  inferNamespace,
  listItemNames,
  namedTag,
  normalizeEscapes,
  pageTags,
  pathHierarchy,
  QueryCanonicalizer,
  toTagPath,
} from '../../wordpress/cache-names.ts';
import { createCacheRuleResolver, createPageRules } from '../../wordpress/response-rules.ts';
import type { SiteCachingInput } from '../settings.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import { CacheEntryPolicy, DocumentCacheTags, IgnoredCookies, type SiteCachePolicy } from './cache-entry.ts';
import { IndexHealth } from './index-health.ts';
import { createForeignAddresses } from './site-cache-request.ts';
import { SiteTags, SiteWrites } from './site-purges.ts';
import { WriteObserver, type WritingRequest } from './write-observer.ts';

interface ResourceMemo {
  resource: CacheEntryPolicy | CacheBypass | undefined;
}

export class SiteCaching implements SiteCachePolicy {
  readonly cache: HttpCache;
  readonly exclusions: StoreExclusions;
  readonly findForeignAddress: (target: string) => string = createForeignAddresses();
  readonly siteTags: SiteTags | null;
  readonly indexHealth: IndexHealth;
  readonly ignoredCookies: IgnoredCookies | null;
  readonly bypassRules: CacheBypassRules;
  readonly addsSurrogateKeys: boolean;
  readonly #options: SiteCacheOptions;
  readonly #resolveRule: ReturnType<typeof createCacheRuleResolver>;
  readonly #canonicalizer: QueryCanonicalizer;
  readonly #findPageRule: ReturnType<typeof createPageRules>;
  readonly writes: SiteWrites;
  readonly #documentTags = new WeakMap<Snapshot, DocumentCacheTags>();
  #presumedScope: string | undefined;

  constructor(cache: HttpCache, cacheOptions: SiteCachingInput, environment: Environment) {
    const { ignoreCookies = [] } = cacheOptions;
    this.ignoredCookies = ignoreCookies.length === 0 ? null : new IgnoredCookies(ignoreCookies);
    this.cache = cache;
    this.indexHealth = new IndexHealth(cache.clock);
    this.#options = cacheOptions;
    this.#canonicalizer = new QueryCanonicalizer(cacheOptions.ignoreParameters ?? []);
    this.#resolveRule = createCacheRuleResolver(cacheOptions.rules ?? []);
    this.siteTags =
      cacheOptions.webhook === undefined && (cacheOptions.purgers ?? []).length === 0
        ? null
        : new SiteTags(this, cacheOptions, environment);
    this.#findPageRule = createPageRules(cacheOptions.pages || undefined, this.siteTags !== null);
    const harmlessCookies = [...(cacheOptions.harmlessCookies ?? []), ...ignoreCookies];
    this.bypassRules = new CacheBypassRules(
      { ...cacheOptions, harmlessCookies },
      (name, value) => this.ignoredCookies?.isOfWriter(name, value) === true,
    );
    this.exclusions = new StoreExclusions(environment.log);
    this.addsSurrogateKeys = cacheOptions.hasCacheInFront;
    this.writes = new SiteWrites(cache, cacheOptions, (snapshot, tags) => this.#select(snapshot, tags));
  }

  /** Returns a bypass if the request can identify the client, or isn't a read. */
  findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    { headers, method }: RequestHead,
    hasBody = false,
    memo: ResourceMemo | null = null,
  ): CacheEntryPolicy | CacheBypass {
    const isRoute = resolved.kind === 'route';
    if (snapshot.isProvisional && (isRoute || !this.#storesPagesWithoutDocument)) {
      return createBypass({ kind: 'no document' });
    }
    if (snapshot.isDiscovered) {
      const path = isRoute ? null : resolved.target.path;
      const bypass = this.bypassRules.checkRequest(method, resolved.target.method, headers, path);
      if (bypass !== null) return bypass;
    } else if (method !== 'GET' && method !== 'HEAD') return createBypass({ kind: 'method' });
    // RFC 9110 §9.3.1: content in a read has no defined meaning.
    if (hasBody) return createBypass({ kind: 'body' });
    const resource =
      memo?.resource ??
      (isRoute ? this.#resolveRoute(snapshot, resolved) : this.#resolvePage(snapshot, resolved));
    if (memo !== null) memo.resource = resource;
    return resource;
  }

  /** Only if a user's write purges everything, which other gateways would not. */
  get #storesPagesWithoutDocument(): boolean {
    return this.#options.pages !== undefined && this.cache.store.isShared !== true;
  }

  #resolveRoute(
    snapshot: Snapshot,
    { upstreamTarget, unusualPath, match, target }: RouteRequest,
  ): CacheEntryPolicy | CacheBypass {
    const found = match.kind === 'found' ? match : null;
    const bypass =
      this.bypassRules.checkQuery(target.query) ??
      (found === null ? null : this.bypassRules.checkPathParameters(found.operation.path));
    if (bypass !== null) return bypass;
    const documentTags = this.#adoptSnapshot(snapshot);
    const { route } = target;
    const namespace = found?.route.namespace ?? inferNamespace(route);
    const unlisted = this.bypassRules.findUnlistedNamespace(namespace);
    const { names } = target;
    const rule = this.#resolveRule({ names, namespace, isInDocument: found !== null && unlisted === null });
    if (!rule.usesStore) return createBypass({ kind: 'rule' });
    const personal = rule.statesLifetime ? undefined : findPersonalSegment(route);
    if (personal !== undefined) return createBypass({ kind: 'personal path', name: personal });
    const inQuery = found?.operation.parameters.filter((parameter) => parameter.in === 'query') ?? [];
    const declared = new Set(inQuery.map(({ name }) => name));
    const query = this.#canonicalizer.canonicalize(target.query, declared);
    if (query === null) return createBypass({ kind: 'too many parameters' });
    const resourceKey = createRouteKey(route, query);
    const { subsite } = target;
    const path = toTagPath(atSubsite(subsite, route));
    const named = [...pathHierarchy(path), anyQueryRouteTag(path), ...rule.tags.map(namedTag), resourceKey];
    const tags = documentTags.toStoredTags(named);
    return new CacheEntryPolicy(this, documentTags, {
      unlisted: rule.statesLifetime ? null : unlisted,
      isCode: false,
      findSubsite: (publicBase) => snapshot.subsites.findOwnSite(target.path, publicBase),
      ...{ isRoute: true, isWordPress: true, page: undefined, ignoredQuery: '', rule, tags, resourceKey },
      upstreamTarget: this.#canonicalizer.stripIgnored(upstreamTarget, declared),
      unusualPath,
      name: found?.operation.path ?? route,
    });
  }

  #resolvePage(
    snapshot: Snapshot,
    { upstreamTarget: requested, target }: PageRequest,
  ): CacheEntryPolicy | CacheBypass {
    const isWordPress = snapshot.isDiscovered;
    const bypass = isWordPress ? this.bypassRules.checkQuery(target.query) : null;
    if (bypass !== null) return bypass;
    const documentTags = this.#adoptSnapshot(snapshot);
    const rule = this.#resolveRule({ names: target.names, namespace: '', isInDocument: false });
    if (!rule.usesStore) return createBypass({ kind: 'rule' });
    const personal = isWordPress && !rule.statesLifetime ? findPersonalSegment(target.path) : undefined;
    if (personal !== undefined) return createBypass({ kind: 'personal path', name: personal });
    const sent = isWordPress ? this.#canonicalizer.stripIgnored(requested, NO_NAMES) : requested;
    const page = isWordPress ? this.#findPageRule(target.path, target.query) : undefined;
    const address = normalizeAddress(snapshot.origin, sent);
    const tags = documentTags.toStoredTags([
      ...pageTags(sent),
      ...rule.tags.map(namedTag),
      anyQueryPageTag(address.replace(/\?.*/s, '')),
      createAddressKey(address),
    ]);
    const resourceKey = createAddressKey(sent);
    const isKnown = !isWordPress || rule.statesLifetime;
    return new CacheEntryPolicy(this, documentTags, {
      unlisted: isKnown
        ? null
        : this.bypassRules.findUnlistedPage(target.path, sent.split(/\?(.*)/s)[1] ?? ''),
      isCode: isWordPress && isCodeFile(target.path),
      findSubsite: (publicBase) => snapshot.subsites.findOwnSite(target.path, publicBase),
      ...{ isRoute: false, isWordPress, page, name: 'pages', rule, tags },
      ...{ upstreamTarget: sent, resourceKey, unusualPath: '' },
      ignoredQuery: sent === requested ? '' : this.#canonicalizer.listIgnored(target.query),
    });
  }

  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null {
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind === 'own') return null;
    if (snapshot.isProvisional) return EVERYTHING;
    const isRoute = resolved.kind === 'route';
    const resource = isRoute ? this.#resolveRoute(snapshot, resolved) : this.#resolvePage(snapshot, resolved);
    if (resource.kind === 'bypass') return null;
    const { resourceKey, upstreamTarget } = resource.entry;
    if (isRoute) return resourceKey;
    const address = normalizeAddress(snapshot.origin, upstreamTarget);
    return address.includes('?') ? createAddressKey(address) : anyQueryPageTag(address);
  }

  getFolderTag(snapshot: Snapshot, path: string): string {
    const resolved = snapshot.resolveRequest({ method: 'GET', target: path, headers: [] });
    if (resolved.kind === 'route') return toTagPath(resolved.target.route);
    return (
      pageTags(resolved.kind === 'page' ? resolved.upstreamTarget : path)
        .slice(0, 9)
        .at(-1) ?? EVERYTHING
    );
  }

  observeWrite(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: IncomingRequestHead,
    request: WritingRequest,
  ): WriteObserver {
    const getAddressTag = (address: RouteRequest | PageRequest): string | null => {
      if (address.kind === 'route') {
        const { route, subsite } = address.target;
        if (subsite === '/' && snapshot.matcher.match('GET', route).kind === 'method-not-allowed')
          return null;
        return anyQueryRouteTag(toTagPath(atSubsite(subsite, route)));
      }
      const page = this.#resolvePage(snapshot, address);
      if (page.kind === 'bypass' || page.entry.unlisted?.reason.kind === 'script') return null;
      return createAddressKey(normalizeAddress(snapshot.origin, page.entry.upstreamTarget));
    };
    const { ignoredCookies, siteTags } = this;
    ignoredCookies?.noteWrite(head.headers, []);
    const write = { snapshot, resolved, head, request, siteTags, getAddressTag, ignoredCookies };
    return new WriteObserver(this.writes, write);
  }

  /** @returns number of purged responses; `null` if gateways share the store */
  async purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number | null> {
    if (tags.length === 0) return 0;
    const named = this.siteTags === null ? tags : [...tags, ...tags.flatMap(listItemNames)];
    const selection = this.selectTags(snapshot, named.includes(EVERYTHING) ? [...named, CODE_FILES] : named);
    this.writes.rememberPurge('a purge by hand', selection);
    const length = this.cache.store.isShared === true ? null : (await this.listSelected(selection)).length;
    await this.cache.purge(selection, mode);
    return length;
  }

  async listSelected(
    selection: PurgeSelection,
  ): Promise<readonly { readonly key: string; readonly response: StoredResponse }[]> {
    const { clock, store } = this.cache;
    const selected: { key: string; response: StoredResponse }[] = [];
    const visit = visitInSteps(store.report().entries, ([key, responses]) => {
      for (const response of responses)
        if (isSelected(selection, key, response.tags)) selected.push({ key, response });
    });
    await runInSlices(visit, clock);
    return selected;
  }

  /** Without a document it is not known what a response has. */
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection {
    return this.#select(snapshot, snapshot.isProvisional ? [EVERYTHING] : tags);
  }

  #select(snapshot: Snapshot, tags: Iterable<string>): PurgeSelection {
    return { kind: 'tags', tags: this.#adoptSnapshot(snapshot).toStoredTags(new Set(tags)) };
  }

  getStoreScope(snapshot: Snapshot): string {
    return this.#adoptSnapshot(snapshot).storeScope;
  }

  /** The first document can name another address than presumed, which purges everything of the site. */
  #adoptSnapshot(snapshot: Snapshot): DocumentCacheTags {
    const known = this.#documentTags.get(snapshot);
    if (known !== undefined) return known;
    const created = new DocumentCacheTags(snapshot);
    this.#documentTags.set(snapshot, created);
    const presumed = this.#presumedScope;
    this.#presumedScope = snapshot.isProvisional ? created.storeScope : undefined;
    // A shared store can have responses under the real address, but writes purged the presumed one.
    if (!snapshot.isProvisional && presumed !== undefined && presumed !== created.storeScope)
      void this.cache.purge({ kind: 'tags', tags: created.toStoredTags([EVERYTHING]) }, 'hard');
    return created;
  }
}

function normalizeAddress(origin: string, address: string): string {
  const { pathname, search } = new URL(`${origin}${address}`);
  return normalizeEscapes(pathname + search);
}

const NO_NAMES: DeclaredNames = new Set();
