import type { Diagnostic } from '../../../base/diagnostics.ts';
import { EXTENSION_NAMES, extensionOf } from '../../../base/document-extensions.ts';
import { hashParts } from '../../../base/hash.ts';
import type { RequestHead } from '../../../base/http/exchange.ts';
import { isJsonObject, type Json, type JsonObject, mapMembers, memberAt } from '../../../base/json.ts';
import { getOrCreate, lazy } from '../../../base/memoize.ts';
import { trimTrailingSlashes } from '../../../base/php/request.ts';
import { runSteps, type Steps } from '../../../base/steps.ts';
import { rootFromUrl, toSiteAddress, withoutCredentials } from '../../../generator/discovery/address.ts';
import type { SiteAddress } from '../../../generator/discovery/site.ts';
import { dereference } from '../../../generator/openapi/document-objects.ts';
import {
  countOperations,
  type Operation,
  readServedApi,
  type ServedApi,
  type ServedRoute,
} from '../../../generator/openapi/index.ts';
import { type OperationMatch, OperationMatcher } from '../../../generator/openapi/matcher.ts';
import { isCoreEndpoint } from '../../../generator/validation/request/core-arguments.ts';
import { RequestValidator } from '../../../generator/validation/request/validator.ts';
import { createRouteTargetBuilder, toTarget } from '../../router/request-target.ts';
import {
  createRouteNaming,
  createTargetResolver,
  findFront,
  type PageTarget,
  type ResolvedTarget,
  type RouteTarget,
  Subsites,
} from '../../router/target.ts';
import { createSiteUrls, type SiteUrls } from '../../upstream/response-headers.ts';
import type { SnapshotSettings } from '../settings.ts';
import {
  createTextLocalizer,
  DocumentRepresentations,
  toPublicTitle,
  toRoutePrefix,
  toServedDocument,
} from './served-document.ts';

export type ResolvedRequest =
  | RouteRequest
  | PageRequest
  | { readonly kind: 'own'; readonly target: OwnTarget };

export interface RouteRequest {
  readonly kind: 'route';
  readonly target: RouteTarget;
  readonly match: OperationMatch;
  readonly upstreamTarget: string;
  /** The path, if it isn't the usual one: plugins read `REQUEST_URI`, so such responses are stored apart. */
  readonly unusualPath: string;
}

export interface PageRequest {
  readonly kind: 'page';
  readonly target: PageTarget;
  readonly upstreamTarget: string;
}

export type OwnTarget = Exclude<ResolvedTarget, RouteTarget | PageTarget>;

/** With `passthrough` the site gets the client's own target. Only an API at another address needs one that is built. */
function createRequestResolver(
  { addresses, mountPath, passthrough: forwardsPages }: SnapshotSettings,
  site: SiteAddress,
  isDiscovered: boolean,
  matcher: OperationMatcher,
  subsites: Subsites,
): (head: RequestHead) => ResolvedRequest {
  const options = { mountPath, site, forwardsPages, isDiscovered, addresses };
  const resolveTarget = createTargetResolver(options, forwardsPages ? subsites.find : undefined);
  const build = forwardsPages && site.root.startsWith(site.base) ? null : createRouteTargetBuilder(site);
  const basePath = new URL(site.base).pathname;
  const root = trimTrailingSlashes(new URL(site.root).pathname);
  return (head) => {
    const target = resolveTarget(head);
    if (target.kind !== 'route' && target.kind !== 'page') return { kind: 'own', target };
    const path = toTarget(basePath + target.path.slice(1), '');
    const [, query = ''] = head.target.split(/\?(.*)/s, 2);
    const upstreamTarget = toTarget(path, query);
    if (target.kind === 'page') return { kind: 'page', target, upstreamTarget };
    const match = matcher.match(target.method, target.route);
    const run = { kind: 'route', match: target.subsite === '/' ? match : toCoreMatch(match) } as const;
    if (build !== null) return { ...run, target, upstreamTarget: build(target), unusualPath: '' };
    return { ...run, target, upstreamTarget, unusualPath: path === root + target.route ? '' : path };
  };
}

/** A subsite can have other plugins. */
function toCoreMatch(match: OperationMatch): OperationMatch {
  if (match.kind !== 'found') return match;
  const { method } = match.operation;
  return isCoreEndpoint({ method, route: match.route.pattern }) ? match : { kind: 'none' };
}

export interface ServedOperation {
  readonly route: ServedRoute;
  readonly operation: Operation;
}

export class DocumentRequestValidators {
  readonly #document: JsonObject;
  readonly #routes: ServedApi['routes'];
  readonly #validators = new WeakMap<Operation, RequestValidator>();

  constructor(document: JsonObject, { routes }: ServedApi) {
    this.#document = document;
    this.#routes = routes;
  }

  get(operation: Operation): RequestValidator {
    const create = (): RequestValidator => new RequestValidator(operation, this.resolveReference);
    return getOrCreate(this.#validators, operation, create);
  }

  readonly resolveReference = (reference: string): JsonObject | undefined =>
    dereference({ $ref: reference }, this.#document);

  *listOperations(): Iterable<ServedOperation> {
    for (const route of this.#routes) {
      for (const operation of route.operations.values()) yield { route, operation };
    }
  }

  readonly getOperationsById: () => ReadonlyMap<string, ServedOperation> = lazy(
    () => new Map(Array.from(this.listOperations(), (each) => [each.operation.id, each])),
  );

  /** Collections below each route: a purge can name thousands of routes. */
  readonly mapCollections: () => CollectionsByRoute = lazy(() => {
    const collections = new Map<string, Set<string>>();
    for (const { operation } of this.listOperations()) {
      const { path } = operation;
      if (path.includes('{')) continue;
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
        getOrCreate(collections, path.slice(0, end), () => new Set<string>()).add(path);
    }
    return collections;
  });
}

export type CollectionsByRoute = ReadonlyMap<string, ReadonlySet<string>>;

/** A request uses one snapshot until its end. */
export interface Snapshot {
  readonly settings: SnapshotSettings;
  /** False only for a plain origin: `discovery: off` without a document. */
  readonly isDiscovered: boolean;
  /** Until there is a document, requests are forwarded unvalidated and, but for `cache.pages`, past the store. */
  readonly isProvisional: boolean;
  /** Origin as the site knows itself. With `upstream.host`, connections go elsewhere. */
  readonly origin: string;
  readonly routeOrigin: string;
  readonly siteAddress: SiteAddress;
  readonly title: string;
  readonly operationCount: number;
  readonly resolveRequest: (head: RequestHead) => ResolvedRequest;
  readonly matcher: OperationMatcher;
  readonly subsites: Subsites;
  readonly nameRoute: ReturnType<typeof createRouteNaming>;
  readonly siteUrls: SiteUrls;
  readonly requestValidators: DocumentRequestValidators | null;
  /** Irregularities of the index; `null` if the document was not generated by this process. */
  readonly diagnostics: SnapshotDiagnostics | null;
  readonly representations: DocumentRepresentations | null;
  readonly documented: DocumentedApi | null;
  /** What sites with equal documents share stays in memory as long as one of them is served. */
  readonly shared: object | null;
}

export interface SnapshotDiagnostics {
  readonly counts: Readonly<Record<string, number>>;
  readonly listed: readonly Diagnostic[];
}

export interface DocumentedApi {
  readonly document: JsonObject;
  /** Title for everyone: not the site's host. */
  readonly title: string;
  readonly description: string;
  readonly localize: (text: string) => string;
  /** {@link toRoutePrefix}; empty without pages. */
  readonly routePrefix: string;
}

interface SharedContent extends Pick<Snapshot, 'matcher' | 'operationCount'> {
  readonly document: JsonObject;
  readonly requestValidators: DocumentRequestValidators;
}

const sharedContents = new Map<string, WeakRef<SharedContent>>();

/** Members that tell apart two sites with the same plugins. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['info', 'servers', EXTENSION_NAMES.site]);

/** Equal documents are one in memory, with what is read from them. */
function* shareContent(document: JsonObject, api: ServedApi): Steps<SharedContent> {
  const members = Object.entries(document).filter(([name]) => !OWN_MEMBERS.has(name));
  const site = extensionOf(document, 'site');
  const head = isJsonObject(site) ? { ...site, site: null } : null;
  const hash = yield* hashParts(head, listParts(Object.fromEntries(members), 3));
  const known = sharedContents.get(hash)?.deref();
  if (known !== undefined) return known;
  const matcher = yield* OperationMatcher.create(api);
  const operationCount = countOperations(document);
  const requestValidators = new DocumentRequestValidators(document, api);
  const content = { document, matcher, operationCount, requestValidators };
  for (const [other, each] of sharedContents) if (each.deref() === undefined) sharedContents.delete(other);
  sharedContents.set(hash, new WeakRef(content));
  return content;
}

function* listParts(value: Json, depth: number): Generator<Json> {
  if (depth === 0 || !isJsonObject(value)) yield value;
  else {
    yield Object.keys(value);
    for (const member of Object.values(value)) yield* listParts(member, depth - 1);
  }
}

/** @throws {ConfigurationError} when the document lacks what a gateway needs */
export function* createSnapshot(
  document: unknown,
  settings: SnapshotSettings,
  diagnostics: SnapshotDiagnostics | null = null,
): Steps<Snapshot> {
  const { passthrough, siteUrl } = settings;
  const read = yield* readServedApi(document, siteUrl);
  const address = URL.canParse(siteUrl) ? placeSite(read.address, withoutCredentials(siteUrl)) : read.address;
  // `readServedApi` has thrown if it isn't an object.
  const given: JsonObject = isJsonObject(document) ? document : {};
  const shared = yield* shareContent(given, read);
  const content = mapMembers(given, (name, member) =>
    OWN_MEMBERS.has(name) ? member : (shared.document[name] ?? member),
  );
  const served = { ...settings, address };
  return {
    ...createEmptySnapshot(address, settings, true, shared.matcher),
    operationCount: shared.operationCount,
    requestValidators: shared.requestValidators,
    shared,
    isProvisional: false,
    title: readInfo(content, 'title') ?? address.base,
    diagnostics,
    representations: new DocumentRepresentations(content, () => toServedDocument(content, served)),
    documented: {
      document: content,
      title: toPublicTitle(readInfo(content, 'title'), address),
      description: readInfo(content, 'description') ?? '',
      localize: createTextLocalizer(served),
      routePrefix: passthrough ? toRoutePrefix(address) : '',
    },
  };
}

export function createPlainProxySnapshot(url: string, settings: SnapshotSettings): Snapshot {
  const site = toPresumedAddress(url, { isWordPress: false });
  return createEmptySnapshot(site, settings, false);
}

export function createProvisionalSnapshot(url: string, settings: SnapshotSettings): Snapshot {
  return createEmptySnapshot(toPresumedAddress(url, { isWordPress: true }), settings, true);
}

/** @param isDiscovered whether the site is a WordPress-style one; without a document, that is not known yet */
function createEmptySnapshot(
  site: SiteAddress,
  settings: SnapshotSettings,
  isDiscovered: boolean,
  matcher = runSteps(OperationMatcher.create({ address: site, namespaces: [], routes: [] })),
): Snapshot {
  const basePath = new URL(site.base).pathname;
  const subsites = new Subsites(site.base, findFront(site).slice(basePath.length - 1));
  return {
    settings,
    isDiscovered,
    isProvisional: isDiscovered,
    origin: new URL(site.base).origin,
    routeOrigin: new URL(site.root).origin,
    siteAddress: site,
    title: site.base,
    operationCount: 0,
    resolveRequest: createRequestResolver(settings, site, isDiscovered, matcher, subsites),
    matcher,
    subsites,
    nameRoute: createRouteNaming(site.prefix),
    siteUrls: listSiteUrls(site, settings.connectUrl),
    requestValidators: null,
    diagnostics: null,
    representations: null,
    documented: null,
    shared: null,
  };
}

function readInfo({ info }: JsonObject, name: string): string | undefined {
  const text = memberAt(info, name);
  return typeof text === 'string' ? text : undefined;
}

function toPresumedAddress(url: string, { isWordPress }: { readonly isWordPress: boolean }): SiteAddress {
  const root = isWordPress ? rootFromUrl(new URL(url)) : undefined;
  if (root !== undefined) return toSiteAddress(root, {});
  const { origin, pathname } = new URL(url);
  const base = `${origin}${trimTrailingSlashes(pathname)}/`;
  return { base, root: base, spelling: 'plain', prefix: 'wp-json' };
}

/**
 * Places a discovered site at its configured URL, whatever the site calls its front page: with a language plugin, the root index of
 * a site at `/` is at `/en/wp-json/`, and `home` is `/en`.
 * @returns the address with the configured base; `prefix` is the root index's path below it
 */
function placeSite(address: SiteAddress, siteUrl: string): SiteAddress {
  const base = toConfiguredBase(address, siteUrl);
  const isBelow = address.spelling === 'pretty' && address.root.startsWith(base);
  const below = isBelow ? trimTrailingSlashes(address.root.slice(base.length)) : '';
  const { aliases: declared = [address.base], ...others } = address;
  const aliases = [...new Set(declared.map((alias) => toBaseAlias(alias, declared, base, address.root)))];
  return {
    ...others,
    base,
    prefix: below.replace(/^index\.php\//, '') || address.prefix,
    ...(aliases.every((alias) => alias === base) ? {} : { aliases }),
  };
}

function toConfiguredBase(address: SiteAddress, siteUrl: string): string {
  const { base } = toPresumedAddress(siteUrl, { isWordPress: true });
  // Only the index tells its prefix from a folder.
  if (base === address.root) return address.base;
  const [configured, root] = [new URL(base), new URL(address.root)];
  // A site redirects to its host by https, or with or without `www.`.
  const isSameSite =
    withoutWww(configured.host) === withoutWww(root.host) &&
    (root.protocol === configured.protocol || root.protocol === 'https:');
  return isSameSite ? root.origin + configured.pathname : base;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

/** An address that the site states. `/en/` means `/` if the site states both, or has its REST root below `/en/`. */
function toBaseAlias(alias: string, declared: readonly string[], base: string, root: string): string {
  const [{ origin, pathname }, at] = [new URL(alias), new URL(base)];
  if (origin === at.origin) return base;
  const isBase =
    new URL(root).pathname.startsWith(pathname) ||
    declared.some((each) => new URL(each).pathname === at.pathname);
  return isBase ? origin + at.pathname : alias;
}

function listSiteUrls(address: SiteAddress, connectOrigin: string | undefined): SiteUrls {
  const { aliases = [], prefix, root, spelling } = address;
  const base = new URL(address.base);
  const urls = [address.base, ...aliases];
  if (connectOrigin !== undefined) urls.push(connectOrigin + base.pathname);
  // redirect_canonical() adds the port of `home` to the request's host, and nginx adds the port that it listens on.
  const ports = [aliases[0], connectOrigin].flatMap((url) => (url === undefined ? [] : [new URL(url).port]));
  for (const port of ports)
    urls.push(`http://${base.hostname}${port === '' ? '' : `:${port}`}${base.pathname}`);
  const routes = { url: root, suffix: `/${prefix}` };
  const isApart = spelling === 'pretty' && !root.startsWith(address.base);
  return createSiteUrls([...urls.map((url) => ({ url })), ...(isApart ? [routes] : [])]);
}
