import type { SiteCacheOptions } from '../../../generated/option-types.d.ts';
import { Evidence } from '../../cache/dependencies/evidence.ts';
import { ItemStates } from '../../cache/dependencies/item-states.ts';
import { routeTags } from '../../cache/dependencies/response-tags.ts';
import {
  type ChangedRoute,
  describeExternalWrite,
  describeNamespaceChange,
} from '../../cache/dependencies/route-writes.ts';
import {
  EVERYTHING,
  inferNamespace,
  normalizeEscapes,
  pageTags,
  tagNames,
  toTagPath,
} from '../../cache/dependencies/tags.ts';
import { hasKnownFields } from '../../cache/dependencies/write-rules.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import type { PurgeMode, PurgeSelection, StoredResponse } from '../../cache/store.ts';
import {
  createAddressKey,
  createCacheRuleResolver,
  createRouteKey,
  type DeclaredParameter,
  nameRouteClass,
  QueryCanonicalizer,
  type ResolvedCacheRule,
  templateOfRouteClass,
} from '../../cache/wordpress/cache-key.ts';
import { PAGE_NAMESPACES } from '../../cache/wordpress/page-kinds.ts';
import { createPageRules } from '../../cache/wordpress/page-responses.ts';
import {
  type CacheBypass,
  CacheBypassRules,
  createBypass,
  findPersonalSegment,
} from '../../cache/wordpress/shared-requests.ts';
import { taggedPath } from '../../cache/wordpress/site-fields.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { IncomingRequestHead, RequestHead } from '../../http/exchange.ts';
import { getOrCreate } from '../../memoize.ts';
import { normalizeRoute } from '../../php/request.ts';
import type { SiteEnvironment, StoredState } from '../../state.ts';
import { BodyObserver, toJson } from '../exchange/body-observer.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import {
  type CacheEntryPolicy,
  type EntryBypass,
  PageEntryPolicy,
  RouteEntryPolicy,
  type SiteCachePolicy,
  TagFieldCounts,
} from './cache-entry.ts';
import { DocumentCacheTags, NO_DECLARED_PARAMETERS, RouteClassRegistry } from './document-cache-tags.ts';
import { evidenceToJson, restoreEvidence } from './evidence-state.ts';
import { IgnoredCookies } from './ignored-cookies.ts';
import { SiteTags, type SiteTagsReport } from './site-tags.ts';
import { EVERY_WRITE, SiteWrites } from './site-writes.ts';
import { StoreExclusions } from './store-exclusions.ts';
import { type ItemReader, WriteObserver } from './write-decision.ts';

/** Bytes of an item that a client reads. */
const MAX_ITEM_BYTES = 256 * 1024;
/** Changed routes that are purged in one turn. A notice of an import names thousands, and each costs 0.1 ms. */
const MAX_ROUTES_AT_ONCE = 100;

/** What is known of a method and a target: its resource, once it was resolved. */
interface ResourceMemo {
  resource: CacheEntryPolicy | CacheBypass | undefined;
}

/** The caching of one site: which requests the cache may serve, and what writes invalidate. */
export class SiteCaching {
  readonly cache: HttpCache;
  /** Evidence about dependencies; `null` if nothing is learned. */
  readonly evidence: Evidence | null;
  /** Why requests and responses were kept out of the store. */
  readonly exclusions: StoreExclusions;
  /** What the site says; `null` without `cache.tags`. */
  readonly siteTags: SiteTags | null;
  readonly tagFields: TagFieldCounts = new TagFieldCounts();
  /** `null` without `cache.ignoreCookies`. */
  readonly ignoredCookies: IgnoredCookies | null;
  readonly #rewriteBodies: boolean;
  readonly #policy: SiteCachePolicy;
  readonly #options: SiteCacheOptions;
  readonly #readRoute: ItemReader;
  readonly #decode: ContentDecoder;
  readonly #resolveRule: ReturnType<typeof createCacheRuleResolver>;
  /** By the parameters that a rule ignores. */
  readonly #canonicalizers = new Map<readonly string[], QueryCanonicalizer>();
  readonly #findPageRule: ReturnType<typeof createPageRules>;
  readonly #routeClasses = new RouteClassRegistry();
  readonly writes: SiteWrites;
  /** What was learned, as it outlives the process; `undefined` if nothing is learned. */
  readonly storedLearning: StoredState | undefined;
  readonly #documentTags = new WeakMap<Snapshot, DocumentCacheTags>();
  #latestTags: DocumentCacheTags | undefined;
  /** The scope that a provisional snapshot has used since the last document; `undefined` if none has. */
  #presumedScope: string | undefined;

  /**
   * @param rewriteBodies whether links in bodies are rewritten to the gateway
   * @param decode removes the content coding of the site's responses
   * @param readRoute reads what a form has written
   */
  constructor(
    cache: HttpCache,
    cacheOptions: SiteCacheOptions,
    rewriteBodies: boolean,
    decode: ContentDecoder,
    environment: SiteEnvironment,
    readRoute: ItemReader,
  ) {
    const { log, states } = environment;
    const { ignoreCookies = [] } = cacheOptions;
    this.ignoredCookies =
      ignoreCookies.length === 0 ? null : new IgnoredCookies(ignoreCookies, cache, decode, log);
    this.cache = cache;
    this.#options = cacheOptions;
    this.#resolveRule = createCacheRuleResolver(cacheOptions.rules ?? [], cacheOptions.default ?? true);
    this.siteTags = cacheOptions.tags === 'site' ? new SiteTags(this, cacheOptions, environment) : null;
    this.#findPageRule = createPageRules(cacheOptions.pages || undefined, this.siteTags !== null);
    this.exclusions = new StoreExclusions(log);
    this.#rewriteBodies = rewriteBodies;
    const keyedHeaders = (cacheOptions.rules ?? []).flatMap(({ key }) => key?.headers ?? []);
    const bypassRules = new CacheBypassRules({
      ...cacheOptions,
      // The fields that a rule adds to the key. For routes without that rule they are known and not forwarded.
      harmlessHeaders: [...(cacheOptions.harmlessHeaders ?? []), ...keyedHeaders],
      harmlessCookies: [...(cacheOptions.harmlessCookies ?? []), ...ignoreCookies],
    });
    const { confidence = 0.02, learn = true } = cacheOptions;
    const onContradiction = (): void => {
      if (this.#latestTags !== undefined) this.writes.purgeGroups(this.#latestTags);
    };
    const evidence = learn === false ? null : new Evidence({ confidence, onContradiction });
    this.evidence = evidence;
    const itemStates = new ItemStates(cache);
    this.#readRoute = readRoute;
    this.#decode = decode;
    this.#policy = {
      bypassRules,
      itemStates,
      addsSurrogateKeys: cacheOptions.surrogateKeys === true,
      separatesDevices: cacheOptions.device ?? false,
      evidence,
      exclusions: this.exclusions,
      siteTags: this.siteTags,
      tagFields: this.tagFields,
      ignoredCookies: this.ignoredCookies,
    };
    if (evidence !== null) {
      this.storedLearning = states.open('dependencies', {
        toJson: () => evidenceToJson(evidence),
        restore: (content) => restoreEvidence(content, evidence),
      });
      evidence.onChange = this.storedLearning.markChanged;
    }
    this.writes = new SiteWrites(cache, evidence, cacheOptions, this.#routeClasses, itemStates);
  }

  /**
   * Returns a bypass, and counts it, if the cache must not serve the request: it may identify the client, or is no read.
   *
   * @param memo of the request's method and target; `null` if later requests cannot use it
   */
  getResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
    memo: ResourceMemo | null,
  ): CacheEntryPolicy | EntryBypass {
    const found = this.findResource(snapshot, resolved, head, hasBody, memo);
    if (found.kind === 'bypass') this.exclusions.countBypass(found);
    else if (this.ignoredCookies !== null) {
      const cookie = this.ignoredCookies.findForwarded(found.routeClass, head.headers);
      if (cookie !== undefined) return { ...createBypass('cookie', cookie), compared: found };
    }
    return found;
  }

  /** Returns what {@link getResource} returns, and counts nothing. */
  findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    { headers, method }: RequestHead,
    hasBody = false,
    memo: ResourceMemo | null = null,
  ): CacheEntryPolicy | CacheBypass {
    const isRoute = resolved.kind === 'route';
    if (snapshot.isProvisional && (isRoute || !this.#storesPagesWithoutDocument)) {
      return createBypass('no document');
    }
    if (snapshot.isDiscovered) {
      const effectiveMethod = isRoute ? resolved.target.method : method;
      const bypass = this.#policy.bypassRules.checkRequest(method, effectiveMethod, headers, !isRoute);
      if (bypass !== null) return bypass;
    } else if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    // Content in a read has no defined meaning (RFC 9110 §9.3.1), so only the site can respond to it.
    if (hasBody) return createBypass('body');
    const resource =
      memo?.resource ??
      (isRoute ? this.#resolveRoute(snapshot, resolved) : this.#resolvePage(snapshot, resolved, method));
    if (memo !== null) memo.resource = resource;
    return resource;
  }

  /**
   * Whether pages are stored while the index of the site cannot be read: the configuration says that there are pages, and each
   * write purges everything. Another gateway may know the site by another address, and would not purge them.
   */
  get #storesPagesWithoutDocument(): boolean {
    return this.#options.pages !== undefined && this.cache.store.inspector?.isShared === false;
  }

  #resolveRoute(
    snapshot: Snapshot,
    { upstreamTarget, unusualPath, match, target }: RouteRequest,
  ): CacheEntryPolicy | CacheBypass {
    const found = match.kind === 'found' ? match : null;
    const bypass =
      this.#policy.bypassRules.checkQuery(target.query) ??
      (found === null ? null : this.#policy.bypassRules.checkPathParameters(found.operation.path));
    if (bypass !== null) return bypass;
    const documentTags = this.#getDocumentTags(snapshot);
    const { method, route } = target;
    const namespace = found?.route.namespace ?? inferNamespace(route);
    const rule = this.#resolveRule({ route, namespace, method, isInDocument: found !== null });
    if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    if (!rule.usesStore) return createBypass('rule');
    const personal = rule.statesTimes ? undefined : findPersonalSegment(route);
    if (personal !== undefined) return createBypass('personal path', personal);
    const canonicalizer = this.#getCanonicalizer(rule);
    // If another route may match at the site, the declarations of this one prove nothing.
    const declared =
      found?.isCertain === true
        ? documentTags.getDeclaredParameters(found.operation, found.route.pattern)
        : NO_DECLARED_PARAMETERS;
    const query = canonicalizer.canonicalize(target.query, declared);
    if (query === null) return createBypass('too many parameters');
    const location = documentTags.resources.locate(route, namespace, found?.operation.path ?? null);
    const resourceKey = createRouteKey(route, query.key);
    const tags = documentTags.toStoredTags([
      ...routeTags(location, query.values, declared.get('orderby')?.default),
      ...rule.tags.map(tagNames.customName),
      resourceKey,
    ]);
    const template = found?.operation.path ?? null;
    const scope = {
      location,
      routeClass: nameRouteClass(template, query.values, (name) => declared.has(name)),
      values: query.values,
    };
    return new RouteEntryPolicy(
      this.#policy,
      documentTags,
      {
        upstreamTarget: stripIgnoredParameters(upstreamTarget, canonicalizer, declared),
        resourceKey,
        addressedKey: unusualPath === '' ? resourceKey : `${resourceKey}\n${unusualPath}`,
        rule,
        tags,
      },
      template ?? route,
      scope,
    );
  }

  #resolvePage(
    snapshot: Snapshot,
    { upstreamTarget: requested, target }: PageRequest,
    method: string,
  ): CacheEntryPolicy | CacheBypass {
    const isWordPress = snapshot.isDiscovered;
    const bypass = isWordPress ? this.#policy.bypassRules.checkQuery(target.query) : null;
    if (bypass !== null) return bypass;
    const documentTags = this.#getDocumentTags(snapshot);
    const rule = this.#resolveRule({ route: target.path, namespace: '', method, isInDocument: false });
    if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    if (!rule.usesStore) return createBypass('rule');
    const personal = isWordPress && !rule.statesTimes ? findPersonalSegment(target.path) : undefined;
    if (personal !== undefined) return createBypass('personal path', personal);
    const canonicalizer = this.#getCanonicalizer(rule);
    const sent = isWordPress
      ? stripIgnoredParameters(requested, canonicalizer, NO_DECLARED_PARAMETERS)
      : requested;
    const page = isWordPress ? this.#findPageRule(target.path, target.query) : undefined;
    const address = normalizeAddress(snapshot.origin, sent);
    const tags = documentTags.toStoredTags([
      ...pageTags(sent),
      ...rule.tags.map(tagNames.customName),
      // A plugin that purges an address without a query means all its forms, such as `?amp` (BoldGrid/w3-total-cache#34).
      ...new Set([createAddressKey(address.replace(/\?.*/s, '')), createAddressKey(address)]),
    ]);
    return new PageEntryPolicy(
      this.#policy,
      documentTags,
      { upstreamTarget: sent, rule, tags },
      page,
      sent === requested ? '' : canonicalizer.listIgnored(target.query),
      isWordPress && !snapshot.isProvisional ? this.evidence : null,
    );
  }

  #getCanonicalizer({ keyRule: { ignore } }: ResolvedCacheRule): QueryCanonicalizer {
    const { ignoreParameters = [] } = this.#options;
    return getOrCreate(
      this.#canonicalizers,
      ignore,
      () => new QueryCanonicalizer([...ignoreParameters, ...ignore]),
    );
  }

  /** Returns the tag of all stored responses for an address, in any spelling; `null` if none can be stored. */
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null {
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind === 'own') return null;
    if (snapshot.isProvisional) return EVERYTHING;
    const isRoute = resolved.kind === 'route';
    const resource = isRoute
      ? this.#resolveRoute(snapshot, resolved)
      : this.#resolvePage(snapshot, resolved, 'GET');
    if (resource.kind === 'bypass') return null;
    const { resourceKey, upstreamTarget } = resource;
    return isRoute ? resourceKey : createAddressKey(normalizeAddress(snapshot.origin, upstreamTarget));
  }

  /** Creates the observer that invalidates what a request changes that may write. */
  observeWrite(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: IncomingRequestHead,
    requestId: string,
  ): WriteObserver {
    const { bypassRules } = this.#policy;
    const write = { snapshot, resolved, head, requestId, bypassRules, readRoute: this.#readRoute };
    return new WriteObserver(this.writes, this.#getDocumentTags(snapshot), write);
  }

  /** Observes a read that the store does not serve, of an item that the client may write next; `null` for any other. */
  observeItemRead(snapshot: Snapshot, resolved: RouteRequest | PageRequest): ResponseObserver | null {
    if (this.evidence === null || resolved.kind === 'page' || resolved.match.kind !== 'found') return null;
    const { operation, route } = resolved.match;
    const documentTags = this.#getDocumentTags(snapshot);
    const location = documentTags.resources.locate(resolved.target.route, route.namespace, operation.path);
    if (resolved.target.method !== 'GET' || !hasKnownFields(location)) return null;
    const since = this.cache.clock.now();
    const limits = { maxBytes: MAX_ITEM_BYTES, decode: this.#decode };
    const itemTag = documentTags.toStoredTag(location.path);
    let body: BodyObserver | null = null;
    return {
      head: (head) => {
        if (head.status !== 200) return;
        body = new BodyObserver(head, limits, (read) =>
          this.#policy.itemStates.setRead(itemTag, toJson(read), since),
        );
      },
      write: (chunk) => body?.write(chunk),
      end: () => body?.end(),
      fail: () => body?.fail(),
    };
  }

  /** @returns number of responses that were purged */
  async purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number> {
    if (tags.length === 0) return 0;
    const selection = this.selectTags(snapshot, tags);
    this.writes.rememberPurge('a purge by hand', selection);
    return this.cache.purge(selection, mode);
  }

  /**
   * Purges the responses of a route and of the routes below it. The route of a namespace stands for a change of unknown
   * extent, so what may depend on the namespace is purged too.
   *
   * @returns number of responses that were purged
   */
  async purgeRoute(snapshot: Snapshot, route: string, mode: PurgeMode): Promise<number> {
    const documentTags = this.#getDocumentTags(snapshot);
    const namespace = snapshot.isProvisional ? undefined : findNamespace(documentTags, route);
    const ofPath = await this.purgeTags(snapshot, [toTagPath(normalizeRoute(route))], mode);
    if (namespace === undefined) return ofPath;
    return ofPath + (await this.writes.purge(documentTags, [describeNamespaceChange(namespace)], mode));
  }

  /** Purges what depends on routes that were written at the site itself. @returns number of responses that were purged */
  async invalidateRoutes(snapshot: Snapshot, routes: readonly ChangedRoute[]): Promise<number> {
    if (snapshot.isProvisional) return this.purgeTags(snapshot, [EVERYTHING], 'hard');
    const documentTags = this.#getDocumentTags(snapshot);
    let purged = 0;
    for (let at = 0; at < routes.length; at += MAX_ROUTES_AT_ONCE) {
      if (at > 0) await new Promise<void>((resolve) => void this.cache.clock.after(0, resolve));
      const changed = routes.slice(at, at + MAX_ROUTES_AT_ONCE);
      const writes = changed.flatMap((route) => describeExternalWrite(route, documentTags.resources));
      purged += await this.writes.purge(documentTags, writes);
    }
    return purged;
  }

  /** Purges the site after each delay, as after writes of which nothing is known. @param getSnapshot called at the time of the purge */
  purgeLater(getSnapshot: () => Snapshot | null, delays: readonly number[]): void {
    this.writes.repeatLater(() => {
      const snapshot = getSnapshot();
      return (
        snapshot && { documentTags: this.#getDocumentTags(snapshot), writes: [EVERY_WRITE], addresses: [] }
      );
    }, delays);
  }

  /** Returns what {@link purgeTags} selects. Without a document it is not known what depends on what. */
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection {
    const selected = new Set(snapshot.isProvisional ? [EVERYTHING] : tags);
    for (const tag of selected) {
      if (/^P?\/./.test(tag)) selected.add(taggedPath(tag));
      if (/^\/./.test(tag)) selected.add(tagNames.ownPage(tag));
    }
    return { kind: 'tags', tags: this.#getDocumentTags(snapshot).toStoredTags(selected) };
  }

  /** Returns what {@link purgeRoute} selects. */
  selectRoute(snapshot: Snapshot, route: string): PurgeSelection {
    const documentTags = this.#getDocumentTags(snapshot);
    const namespace = findNamespace(documentTags, route);
    return namespace === undefined
      ? this.selectTags(snapshot, [toTagPath(normalizeRoute(route))])
      : this.writes.select(documentTags, [describeNamespaceChange(namespace)]);
  }

  /** Begins the keys of the site in the store. Its tags have a space after it, its keys a line feed. */
  getStoreScope(snapshot: Snapshot): string {
    return this.#getDocumentTags(snapshot).storeScope;
  }

  /** Names the route of a stored response: the path template, or what stands for routes without one and for pages. */
  nameRoute({ matcher }: Snapshot, key: string, { group }: StoredResponse): string {
    const template = templateOfRouteClass(group?.routeClass ?? '');
    if (template.startsWith('/')) return template;
    if (template.startsWith(PAGE_NAMESPACES.files)) return PAGE_NAMESPACES.files;
    // A key has the scope, the gateway's URL, and the resource, separated by line feeds.
    const resource = key.split('\n', 3)[2] ?? '';
    if (!resource.startsWith('R"')) return NAMES_WITHOUT_TEMPLATE.pages;
    // The route at the beginning of the name of a resource (`createRouteKey`).
    const text = /^R("(?:[^"\\]|\\.)*")/.exec(resource)?.[1];
    const match = matcher.match('GET', text === undefined ? '' : String(JSON.parse(text)));
    return match.kind === 'found' ? match.operation.path : NAMES_WITHOUT_TEMPLATE.others;
  }

  /** What the site says of its responses. */
  reportTags(): SiteTagsReport {
    const { fields, responses } = this.tagFields;
    const { contradictions, lost } = this.siteTags?.report() ?? { contradictions: [], lost: 0 };
    return { isUsed: this.siteTags !== null, responses, fields: new Map(fields), lost, contradictions };
  }

  noteSelection(selection: PurgeSelection): void {
    if (selection.kind === 'tags') this.evidence?.noteSelection(selection, this.cache.clock.now());
  }

  #getDocumentTags(snapshot: Snapshot): DocumentCacheTags {
    const known = this.#documentTags.get(snapshot);
    if (known !== undefined) return known;
    const created = new DocumentCacheTags(snapshot, this.#rewriteBodies, this.#routeClasses);
    this.#documentTags.set(snapshot, created);
    if (snapshot.isProvisional) {
      this.#presumedScope = created.storeScope;
      return created;
    }
    this.#latestTags = created;
    this.evidence?.useDocument(created.version);
    this.#purgePresumedWrites(created);
    return created;
  }

  /**
   * Purges the site once its address is known, if it was served before by another one: a shared store may have its responses,
   * and the writes until now have purged those of the presumed address.
   */
  #purgePresumedWrites(documentTags: DocumentCacheTags): void {
    const presumed = this.#presumedScope;
    this.#presumedScope = undefined;
    if (presumed === undefined || presumed === documentTags.storeScope) return;
    const selection: PurgeSelection = { kind: 'tags', tags: documentTags.toStoredTags([EVERYTHING]) };
    void this.cache.invalidate(selection);
  }
}

/** Normalizes an address at the site to the form in which responses to writes name it (RFC 9111 §4.4). */
export function normalizeAddress(origin: string, address: string): string {
  const { pathname, search } = new URL(`${origin}${address}`);
  return normalizeEscapes(pathname + search);
}

/** Removes ignored parameters, so that they are neither in the key nor in the links that the site generates. */
function stripIgnoredParameters(
  address: string,
  canonicalizer: QueryCanonicalizer,
  declared: ReadonlyMap<string, DeclaredParameter>,
): string {
  const queryStart = address.indexOf('?');
  if (queryStart < 0) return address;
  const query = address.slice(queryStart + 1);
  const stripped = canonicalizer.stripIgnored(query, declared);
  if (stripped === query) return address;
  return stripped === '' ? address.slice(0, queryStart) : `${address.slice(0, queryStart + 1)}${stripped}`;
}

/** Finds the namespace that a route stands for: one of the document. */
function findNamespace({ namespaces }: DocumentCacheTags, route: string): string | undefined {
  const name = toTagPath(normalizeRoute(route)).slice(1);
  return namespaces.has(name) ? name : undefined;
}

/** Names of what has no path template. No template begins with a letter. */
const NAMES_WITHOUT_TEMPLATE = { pages: 'pages', others: 'other routes' } as const;
