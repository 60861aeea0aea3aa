import type { Diagnostic } from '../../diagnostics.ts';
import type { SiteAddress } from '../../discovery/site.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { isJsonObject, type JsonObject, memberAt } from '../../json.ts';
import { getOrCreate, lazy } from '../../memoize.ts';
import { dereference } from '../../openapi/document-references.ts';
import {
  countOperations,
  type Operation,
  readServedApi,
  type ServedApi,
  type ServedRoute,
} from '../../openapi/index.ts';
import { type OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { RequestTargetBuilder } from '../../router/request-target.ts';
import {
  createTargetResolver,
  type OwnAddresses,
  type PageTarget,
  type ResolvedTarget,
  type RouteTarget,
} from '../../router/target.ts';
import { runSteps, type Steps } from '../../steps.ts';
import type { SiteUrls } from '../../upstream/rewrite-urls.ts';
import { RequestValidator } from '../../validation/request/validator.ts';
import { DocumentRepresentations } from './document-representations.ts';
import { createTextLocalizer, toPublicTitle, toServedDocument } from './served-document.ts';
import { listSiteUrls, placeSite, toPresumedAddress } from './site-address.ts';

/** Meaning of a request head at one snapshot. It depends on method, target and the header fields that override the method. */
export type ResolvedRequest =
  | RouteRequest
  | PageRequest
  | { readonly kind: 'own'; readonly target: OwnTarget };

export interface RouteRequest {
  readonly kind: 'route';
  readonly target: RouteTarget;
  readonly match: OperationMatch;
  readonly upstreamTarget: string;
  /** The path at the site, if it is not the one that requests for this route usually have; otherwise empty. */
  readonly unusualPath: string;
}

/** A request for another page of the site (passthrough). */
export interface PageRequest {
  readonly kind: 'page';
  readonly target: PageTarget;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

export type OwnTarget = Exclude<ResolvedTarget, RouteTarget | PageTarget>;

function createRequestResolver(
  resolveTarget: (head: RequestHead) => ResolvedTarget,
  matcher: OperationMatcher,
  addressing: RequestTargetBuilder,
): (head: RequestHead) => ResolvedRequest {
  return (head) => {
    const target = resolveTarget(head);
    if (target.kind === 'route') {
      const match = matcher.match(target.method, target.route);
      return { kind: 'route', target, match, ...addressing.buildRouteTarget(target) };
    }
    if (target.kind !== 'page') return { kind: 'own', target };
    return { kind: 'page', target, upstreamTarget: addressing.buildPageTarget(target.path, target.query) };
  };
}

/** Validators for the requests to one site, compiled from one document: each for its first request, so that the start stays short. */
export interface DocumentRequestValidators {
  get(operation: Operation): RequestValidator;
  /** Resolves a `$ref` of the document. */
  readonly resolveReference: (reference: string) => JsonObject | undefined;
  listOperations(): Iterable<ServedOperation>;
  /** By their ids. Collected when it is called first. */
  getOperationsById(): ReadonlyMap<string, ServedOperation>;
}

export interface ServedOperation {
  readonly route: ServedRoute;
  readonly operation: Operation;
}

export function createDocumentRequestValidators(
  document: JsonObject,
  { routes }: ServedApi,
): DocumentRequestValidators {
  const resolve = (reference: string): JsonObject | undefined => dereference({ $ref: reference }, document);
  const validators = new WeakMap<Operation, RequestValidator>();
  function* listOperations(): Iterable<ServedOperation> {
    for (const route of routes) {
      for (const operation of route.operations.values()) yield { route, operation };
    }
  }
  return {
    get: (operation) => getOrCreate(validators, operation, () => new RequestValidator(operation, resolve)),
    resolveReference: resolve,
    listOperations,
    getOperationsById: lazy(() => new Map(Array.from(listOperations(), (each) => [each.operation.id, each]))),
  };
}

/**
 * The immutable state that requests to one site are served from, created from its document. A request uses one snapshot
 * until its end, even if the site's snapshot is replaced meanwhile.
 */
export interface Snapshot {
  /** Whether the site is a WordPress-style one; `false` for a plain origin. */
  readonly isDiscovered: boolean;
  /**
   * Whether it stands in for a document that does not exist yet: the requests are for a WordPress-style site, and are forwarded
   * unvalidated and past the store.
   */
  readonly isProvisional: boolean;
  /** Scheme, host and port of the site's pages as it knows itself. With `upstream.host`, connections are made to another origin. */
  readonly origin: string;
  /** The same of its routes. */
  readonly routeOrigin: string;
  readonly siteAddress: SiteAddress;
  /** Name of the site, for the title of its documentation page. */
  readonly title: string;
  /** Operations of the document, see `countOperations`. */
  readonly operationCount: number;
  /** Determines the route, page or own response that a request is for. */
  readonly resolveRequest: (head: RequestHead) => ResolvedRequest;
  readonly matcher: OperationMatcher;
  /** The URLs that the site uses for itself. They are replaced by the gateway's in responses. */
  readonly siteUrls: SiteUrls;
  /** Validators of requests; `null` without a document. */
  readonly requestValidators: DocumentRequestValidators | null;
  /** Irregularities of the site's index; `null` if the document was not generated by this process. */
  readonly diagnostics: SnapshotDiagnostics | null;
  /** The document as clients get it; `null` without a document. */
  readonly representations: DocumentRepresentations | null;
  /** Source of the documentation; `null` without a document. */
  readonly documented: DocumentedApi | null;
}

export interface SnapshotDiagnostics {
  /** Number by rule. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first ones, warnings first. */
  readonly listed: readonly Diagnostic[];
}

export interface DocumentedApi {
  readonly document: JsonObject;
  /** Title for everyone: not the site's host. */
  readonly title: string;
  readonly description: string;
  /** Replaces URLs of the site in a text of the document by paths of the gateway. */
  readonly localize: (text: string) => string;
  /** Text between the mount and a route in URLs: `/wp-json` where the mount has pages too. */
  readonly routePrefix: string;
}

export interface SnapshotOptions {
  /** `/content`, or empty. */
  readonly mount: string;
  readonly passthrough: boolean;
  /** Where the gateway itself responds. @default those of a site with or without `passthrough` */
  readonly addresses?: OwnAddresses | undefined;
  /** Path of the mount as clients see it (`publicPath`). @default the mount */
  readonly publicPath?: string;
  /** The site's base URL as configured. Documents do not decide where pages are. @default the base that the document states */
  readonly siteUrl?: string;
  /** The URL that connections are made to, if it is not the site's own. It is replaced in responses too. */
  readonly connectUrl?: string;
  /** See {@link Snapshot.diagnostics}. @default unknown */
  readonly diagnostics?: SnapshotDiagnostics;
}

/**
 * Creates the snapshot of a discovered site, in steps.
 *
 * @param document an OpenAPI document as `toOpenApi` creates it, generated now or stored
 * @throws {ConfigurationError} when the document lacks what a gateway needs
 */
export function* createSnapshot(document: unknown, options: SnapshotOptions): Steps<Snapshot> {
  const { connectUrl, mount: mountPath, passthrough: forwardsPages, publicPath = mountPath } = options;
  const { siteUrl } = options;
  const read = yield* readServedApi(document, siteUrl);
  const api =
    siteUrl === undefined || !URL.canParse(siteUrl)
      ? read
      : { ...read, address: placeSite(read.address, siteUrl) };
  // `readServedApi` has thrown if it is no object.
  const content: JsonObject = isJsonObject(document) ? document : {};
  const matcher = yield* OperationMatcher.create(api);
  yield;
  const operationCount = countOperations(content);
  yield;
  const resolveTarget = createTargetResolver({
    mountPath,
    site: api.address,
    forwardsPages,
    isDiscovered: true,
    addresses: options.addresses,
  });
  const addressing = new RequestTargetBuilder(api.address, forwardsPages);
  const servedOptions = { publicPath, passthrough: forwardsPages, address: api.address, connectUrl };
  return {
    isDiscovered: true,
    isProvisional: false,
    ...parseOrigins(api.address),
    siteAddress: api.address,
    title: readInfo(content, 'title') ?? api.address.base,
    operationCount,
    resolveRequest: createRequestResolver(resolveTarget, matcher, addressing),
    matcher,
    siteUrls: listSiteUrls(api.address, connectUrl),
    requestValidators: createDocumentRequestValidators(content, api),
    diagnostics: options.diagnostics ?? null,
    representations: new DocumentRepresentations(content, () => toServedDocument(content, servedOptions)),
    documented: {
      document: content,
      title: toPublicTitle(readInfo(content, 'title'), api.address),
      description: readInfo(content, 'description') ?? '',
      localize: createTextLocalizer(servedOptions),
      routePrefix: forwardsPages ? `/${api.address.prefix}` : '',
    },
  };
}

/** Creates the snapshot of a plain reverse proxy for any origin: no document, no routes. */
export function createPlainProxySnapshot(url: string, options: SnapshotOptions): Snapshot {
  return createEmptySnapshot(toPresumedAddress(url, { isWordPress: false }), options, false);
}

/**
 * Creates the snapshot that serves a whole site until its document is known. Pages, files and routes are told apart as WordPress
 * does, and forwarded in the spelling of the client: no stored response and no validation result depends on them.
 *
 * @param url of the front page, or of the root index
 */
export function createProvisionalSnapshot(url: string, options: SnapshotOptions): Snapshot {
  const site = toPresumedAddress(url, { isWordPress: true });
  const snapshot = createEmptySnapshot(site, options, true);
  const unchanged = createEmptySnapshot(site, options, false);
  return {
    ...snapshot,
    resolveRequest(head) {
      const resolved = snapshot.resolveRequest(head);
      const page = resolved.kind === 'route' ? unchanged.resolveRequest(head) : null;
      if (resolved.kind !== 'route' || page?.kind !== 'page') return resolved;
      return { ...resolved, upstreamTarget: page.upstreamTarget };
    },
  };
}

/** Creates a snapshot without document. @param isProvisional whether the site is a WordPress-style one whose document is not known yet */
function createEmptySnapshot(site: SiteAddress, options: SnapshotOptions, isProvisional: boolean): Snapshot {
  const { mount: mountPath, passthrough: forwardsPages } = options;
  const matcher = runSteps(OperationMatcher.create({ address: site, namespaces: [], routes: [] }));
  const { addresses } = options;
  const settings = { mountPath, site, forwardsPages, isDiscovered: isProvisional, addresses };
  const resolveTarget = createTargetResolver(settings);
  const addressing = new RequestTargetBuilder(site);
  return {
    isDiscovered: isProvisional,
    isProvisional,
    ...parseOrigins(site),
    siteAddress: site,
    title: site.base,
    operationCount: 0,
    resolveRequest: createRequestResolver(resolveTarget, matcher, addressing),
    matcher,
    siteUrls: listSiteUrls(site, options.connectUrl),
    requestValidators: null,
    diagnostics: null,
    representations: null,
    documented: null,
  };
}

function readInfo({ info }: JsonObject, name: string): string | undefined {
  const text = memberAt(info, name);
  return typeof text === 'string' ? text : undefined;
}

function parseOrigins({ base, root }: SiteAddress): Pick<Snapshot, 'origin' | 'routeOrigin'> {
  return { origin: new URL(base).origin, routeOrigin: new URL(root).origin };
}
