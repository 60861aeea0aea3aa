import { splitNames } from '../base/glob.ts';
import { type CacheStatus, toCacheOutcome } from '../base/http/cache-status.ts';
import type {
  IncomingRequestHead,
  RequestHead,
  ResponseHead,
  UpstreamFailure,
} from '../base/http/exchange.ts';
import { fieldValue, hasField, withoutFields } from '../base/http/fields.ts';
import { isPrivateHost } from '../base/http/private-address.ts';
import { type Problem, toErrorPage } from './exchange/problem.ts';
import type { RequestBodyValidator } from './exchange/request-body-validator.ts';
import type { RelayedHead, RelayedRequest } from './exchange/response-relay.ts';
import type { CallApp } from './incoming-request.ts';
import type { CacheEntryPolicy } from './site/caching/cache-entry.ts';
import {
  createSharedFieldFilter,
  toSharedRequestHeaders,
  type UpstreamHeaders,
} from './site/caching/site-cache-request.ts';
import { withoutCredentials } from './site/caching/users.ts';
import type { WriteObserver } from './site/caching/write-observer.ts';
import type { CorsPolicy } from './site/cors.ts';
import type { HostLookup } from './site/hosts.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { SharedParts } from './site/shared-parts.ts';
import type { PageRequest, RouteRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { TargetMemo } from './site/target-memos.ts';
import { describeRoute, type RecentRequest, type RecordedRequest } from './site/traffic/site-recorder.ts';
import type { RequestValidation } from './site/validating/site-validation.ts';
import type { AdminHandler, Surfaces } from './surfaces.ts';
import { toFailureResponse } from './upstream/failures.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';
import { findLocation, toClientHeaders } from './upstream/response-headers.ts';
import { addFields, collectFetchOutcome, type UpstreamServer } from './upstream/site-fetch.ts';
import { type CacheBypass, isTokenName } from './wordpress/bypass-rules.ts';
import { listSiteFields, SITE_FIELDS } from './wordpress/site-fields.ts';

export interface RequestAttributes {
  readonly requestId: string;
  readonly client: string;
  readonly route: string | null;
  /** `operationId`; `null` if no operation matches. */
  readonly operation: string | null;
}

export interface RequestContext {
  readonly parts: SharedParts;
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly findSite: (target: string) => MountedSite | undefined;
  /** `undefined` if all hosts lead to the sites by path. */
  readonly hosts: HostLookup<MountedSite> | undefined;
  readonly nextRequestId: () => string;
  /** Returns the context of the gateway that replaced this one after a reload, or this one. */
  readonly findLatest: () => RequestContext;
  readonly surfaces: Surfaces;
  readonly publicAdmin: AdminHandler;
  /** Unlike a server, records nothing. @param callApp the app that got the agent's message */
  readonly respondToAgent: (
    head: IncomingRequestHead,
    init: RequestInit,
    callApp: CallApp | null,
  ) => Promise<Response>;
  readonly waitForAgents: () => Promise<void>;
}

/** A trusted proxy's id: a gateway's, or one as long as nginx's and UUIDs. */
export const REQUEST_ID: RegExp = /^(?:[0-9a-z]{6}-[0-9a-z]{1,12}|[\w-]{16,64})$/;

export interface ReceivedRequest {
  readonly parts: SharedParts;
  readonly requestId: string;
  readonly client: string;
  readonly head: IncomingRequestHead;
  readonly fields: RequestHeaders;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const ORIGIN_FIELD: ReadonlySet<string> = new Set(['origin']);
/** Milliseconds that a write's response waits to know whether its client is a user. */
const ASK_TIMEOUT = 10_000;
/** Fields of a write that a read in its place lacks. */
const QUESTION: ReadonlySet<string> = new Set(
  splitNames(
    'accept accept-encoding content-encoding content-length content-type expect if-match if-none-match origin range referer transfer-encoding x-http-method-override',
  ),
);

/** A request for a site, which `respond.ts` fills step by step. */
export class GatewayRequest implements RecordedRequest, RelayedRequest, RequestAttributes, UpstreamHeaders {
  readonly kind = 'site';
  readonly requestId: string;
  readonly site: MountedSite;
  readonly cors: CorsPolicy | null;
  /** Kept to the end, even if the site's snapshot is replaced. */
  readonly snapshot: Snapshot;
  readonly head: IncomingRequestHead;
  readonly memo: TargetMemo;
  readonly resolved: RouteRequest | PageRequest;
  readonly fields: RequestHeaders;
  readonly hasBody: boolean;
  readonly client: string;
  readonly route: string | null;
  readonly operation: string | null;
  readonly publicBase: string;
  validation: RequestValidation | null = null;
  bodyValidator: RequestBodyValidator | undefined;
  resource: CacheEntryPolicy | CacheBypass | null = null;
  isPassed = false;
  keyedCookies = '';
  writeObserver: WriteObserver | null = null;
  /** Milliseconds to the head; `undefined` if the site was not asked. */
  siteDuration: number | undefined;
  readonly #siteOrigin: string;
  #isProblemRecorded = false;
  #keyedFields: ReadonlySet<string> | undefined;
  #upstreamHeaders: string[] | undefined;

  constructor(
    { client, fields, head, requestId }: Omit<ReceivedRequest, 'parts'>,
    site: MountedSite,
    snapshot: Snapshot,
    memo: TargetMemo,
    resolved: RouteRequest | PageRequest,
  ) {
    this.requestId = requestId;
    this.site = site;
    this.cors = site.cors;
    this.snapshot = snapshot;
    this.head = head;
    this.memo = memo;
    this.resolved = resolved;
    this.fields = fields;
    this.hasBody = fields.hasBody;
    this.client = client;
    this.route = memo.route;
    this.operation = memo.operation;
    this.publicBase = site.place.getBase(fields.client);
    this.#siteOrigin = resolved.kind === 'route' ? snapshot.routeOrigin : snapshot.origin;
  }

  get server(): UpstreamServer {
    return this.site.settings.upstream.findServer(this.#siteOrigin);
  }

  get upstreamTarget(): string {
    return this.#storable?.entry.upstreamTarget ?? this.resolved.upstreamTarget;
  }

  get #storable(): CacheEntryPolicy | null {
    return this.resource?.kind === 'resource' && !this.isPassed ? this.resource : null;
  }

  /** With `cors` the gateway decides which origins can read. */
  get #hidesOrigin(): boolean {
    return this.site.cors !== null && this.#storable?.entry.isWordPress === true;
  }

  get storeHead(): RequestHead {
    const { head } = this;
    return this.#hidesOrigin ? { ...head, headers: withoutFields(head.headers, ORIGIN_FIELD) } : head;
  }

  areForwardedUnchanged(names: readonly string[]): boolean {
    if (!this.fields.areForwardedUnchanged(names)) return false;
    // Until then each field can become part of the key.
    return this.#upstreamHeaders === undefined || this.#areForwarded(names);
  }

  listForwarded(names: readonly string[]): readonly string[] {
    return this.#upstreamHeaders ?? this.#createUpstreamHeaders(this.#listKeyedFields(names));
  }

  passAsSent(): void {
    this.isPassed = true;
    this.#upstreamHeaders = undefined;
  }

  #listKeyedFields(names: readonly string[] = []): ReadonlySet<string> {
    const known = this.#keyedFields ?? this.#storable?.entry.rule.keyRule.headerSet ?? NO_FIELDS;
    return names.every((name) => known.has(name)) ? known : new Set([...known, ...names]);
  }

  #areForwarded(names: readonly string[]): boolean {
    const storable = this.#storable;
    if (storable === null) return true;
    const keyedFields = this.#listKeyedFields();
    if (!storable.entry.isWordPress) {
      const isForwarded = createSharedFieldFilter(keyedFields, false);
      return names.every((name) => isForwarded(name));
    }
    return names.every((name) => name === 'origin' || keyedFields.has(name));
  }

  forwardHeaders(vary: readonly string[]): string[] {
    const keyedFields = this.#listKeyedFields(vary);
    if (this.#upstreamHeaders === undefined || this.#keyedFields !== keyedFields) {
      this.#keyedFields = keyedFields;
      this.#upstreamHeaders = this.#createUpstreamHeaders(this.#keyedFields);
    }
    return this.#upstreamHeaders;
  }

  #createUpstreamHeaders(keyedFields: ReadonlySet<string>): string[] {
    const { resolved, site } = this;
    const { host, isConfigured } = this.server;
    const { address: publicAddress, manyHosts } = site.place;
    const { mountPath, upstream } = site.settings;
    const { addedFields, isBehindCloudflare } = upstream;
    const asked = manyHosts !== null && isConfigured ? this.fields.client.host : undefined;
    const storable = this.#storable;
    // A plain origin knows clients by their credentials, and says which responses are everyone's (RFC 9111 §3.5).
    const isShared =
      storable !== null &&
      (storable.entry.isWordPress ||
        storable.site.bypassRules.listIdentifyingFields(this.head.headers).length === 0);
    const isWriteToRoute = this.writeObserver !== null && resolved.kind === 'route';
    const headers = this.fields.toUpstreamHeaders(
      {
        host: asked ?? host,
        mountPath,
        publicAddress: asked && publicAddress ? { ...publicAddress, host: asked } : publicAddress,
        requestsIdentity: storable?.readsBody === true || isWriteToRoute,
        isBehindCloudflare,
        shared: isShared
          ? {
              address: storable.site.findForeignAddress(storable.entry.upstreamTarget),
              isForwarded: createSharedFieldFilter(keyedFields, storable.entry.isWordPress),
            }
          : undefined,
      },
      this.requestId,
    );
    const sent = site.cors !== null && this.#hidesOrigin ? withoutFields(headers, ORIGIN_FIELD) : headers;
    const shared =
      storable === null ? sent : toSharedRequestHeaders(sent, storable, keyedFields, this.keyedCookies);
    if (addedFields !== null && isConfigured) addFields(shared, addedFields);
    return shared;
  }

  /** @returns the status of another address; `null` without a response */
  async ask(target: string, isAnonymous: boolean): Promise<number | null> {
    const { site } = this;
    const { addedFields, transports } = site.settings.upstream;
    const asked = withoutFields(this.forwardHeaders([]), QUESTION);
    const headers = isAnonymous ? withoutCredentials(asked) : asked;
    if (addedFields !== null && this.server.isConfigured) addFields(headers, addedFields);
    const waiting = new AbortController();
    const stop = site.settings.clock.after(ASK_TIMEOUT, () => waiting.abort());
    const question = { method: 'GET', target, headers, body: null, retryable: true };
    const dispatch = transports.get(this.server);
    const outcome = await collectFetchOutcome((sink) => dispatch(question, sink), false, waiting.signal);
    stop();
    waiting.abort();
    return outcome.kind === 'response' ? outcome.head.status : null;
  }

  toRelayedHead(head: ResponseHead): RelayedHead {
    const { publicBase, site, snapshot } = this;
    const { siteUrls } = snapshot;
    if (hasField(head.headers, 'cf-ray')) site.settings.upstream.isBehindCloudflare = true;
    const location = head.status < 300 ? undefined : this.#findLocation(head);
    if (
      location !== undefined &&
      location === fieldValue(head.headers, 'location') &&
      !this.#isServed(location)
    )
      site.noteRedirectPast();
    // A spread would take 5 % of the CPU time of a validated GET.
    const rewriting = { siteUrls, publicBase, location };
    const siteTags = site.caching?.siteTags ?? null;
    const siteFields = siteTags === null ? null : listSiteFields(head.headers);
    const received =
      siteFields === null ? head : { ...head, headers: withoutFields(head.headers, SITE_FIELDS) };
    const headers = toClientHeaders(received, rewriting);
    return siteFields === null ? { headers } : { headers, siteFields };
  }

  #isServed(url: string): boolean {
    const { manyHosts } = this.site.place;
    return manyHosts !== null && URL.canParse(url) && manyHosts.find(new URL(url).host) === true;
  }

  #findLocation(head: ResponseHead): string | undefined {
    const stated = fieldValue(head.headers, 'location');
    if (stated !== undefined && this.#isServed(stated)) return stated;
    const { publicBase, snapshot, upstreamTarget } = this;
    const urls = { siteUrls: snapshot.siteUrls, publicBase };
    return findLocation(head, `${this.#siteOrigin}${upstreamTarget}`, urls, isPrivateHost);
  }

  recordFailure(failure: UpstreamFailure): Problem {
    const problem = toFailureResponse(failure);
    this.#isProblemRecorded = true;
    this.site.recorder.recordFailure(this, failure, problem);
    const { retryAfter } = failure;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return this.#toShown({ ...problem, headers });
  }

  recordRefusal(problem: Problem): Problem {
    this.#isProblemRecorded = true;
    this.site.recorder.recordRefusal(this, problem);
    return this.#toShown(problem);
  }

  #toShown(problem: Problem): Problem {
    return this.resolved.kind === 'page' ? toErrorPage(problem, this.head, this.requestId) : problem;
  }

  recordResponse(status: number, cacheStatus: CacheStatus | undefined, milliseconds: number): void {
    const { recorder } = this.site;
    const outcome = toCacheOutcome(cacheStatus);
    recorder.recordResponse(this, this.memo.trafficKey, status, outcome, milliseconds);
    if (outcome !== 'hit') recorder.requests.add(this.#toRecent(status, cacheStatus ?? {}, milliseconds));
    if (status < 400 || this.#isProblemRecorded) return;
    recorder.recordSiteError(this, status);
  }

  #toRecent(status: number, cacheStatus: CacheStatus, milliseconds: number): RecentRequest {
    const { head, requestId, resolved, resource } = this;
    const template =
      resolved.kind === 'route' && resolved.match.kind === 'found' ? resolved.match.operation.path : '';
    const isKeyed =
      resource?.kind === 'resource' && resource.entry.isWordPress && resource.entry.unlisted === null;
    // A credential can be in the path: `/admin-access/{nonce}`.
    const hasSecretPath =
      (resource?.kind === 'bypass' && resource.reason.kind === 'path parameter') ||
      (!isKeyed && template.includes('{') && template.split(/[{}]/).some(isTokenName));
    const target = hasSecretPath ? template : head.target;
    const { method } = head;
    const operation = this.memo.trafficKey;
    const outcome = { hasSecrets: !isKeyed, status, cacheStatus, milliseconds };
    const time = this.site.settings.clock.now();
    return { time, requestId, operation, method, publicBase: this.publicBase, target, ...outcome };
  }

  recordUpstream(status: number | null, milliseconds: number): void {
    this.siteDuration = milliseconds;
    this.site.recorder.traffic.recordUpstream(this.memo.trafficKey, status, milliseconds);
  }

  recordUpstreamFailure(failure: UpstreamFailure): void {
    this.site.recorder.recordUpstreamFailure(failure);
  }

  describe(): string {
    return `${this.head.method} ${describeRoute(this.resolved, this.head.target)}`;
  }
}
