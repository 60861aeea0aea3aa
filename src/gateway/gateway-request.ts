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
import type { ReceivedRequest } from './request-context.ts';
import { toSubsiteRoot } from './router/target.ts';
import type { CacheEntryPolicy } from './site/caching/cache-entry.ts';
import { createSharedFieldFilter, toSharedRequestHeaders } from './site/caching/site-cache-request.ts';
import { type SiteAnswer, withoutCredentials } from './site/caching/users.ts';
import type { WriteObserver } from './site/caching/write-observer.ts';
import type { CorsPolicy } from './site/cors.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { PageRequest, RouteRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { TargetMemo } from './site/target-memos.ts';
import { describeRoute, type RecentRequest, type RecordedRequest } from './site/traffic/site-recorder.ts';
import type { Ending } from './site/traffic/site-traffic.ts';
import type { RequestValidation } from './site/validating/site-validation.ts';
import { toFailureResponse } from './upstream/failures.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';
import { findLocation, toClientHeaders, type UrlRewriteOptions } from './upstream/response-headers.ts';
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

/** Milliseconds that a write's response waits to know whether its client is a user. */
const ASK_TIMEOUT = 10_000;
/** Fields of a write that a read in its place lacks. */
const QUESTION: ReadonlySet<string> = new Set(
  splitNames(
    'accept accept-encoding content-encoding content-length content-type expect if-match if-none-match origin range referer transfer-encoding x-http-method-override',
  ),
);

const NONCE_FIELD: ReadonlySet<string> = new Set(['x-wp-nonce']);

function withNonce(headers: string[], nonce: string | undefined): string[] {
  return nonce === undefined ? headers : [...withoutFields(headers, NONCE_FIELD), 'X-WP-Nonce', nonce];
}

/** A request for a site, which `respond.ts` fills step by step. */
export class GatewayRequest implements RecordedRequest, RelayedRequest, RequestAttributes {
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
  /** Value of the `Cookie` field that the site gets: the key's cookies. */
  keyedCookies = '';
  writeObserver: WriteObserver | null = null;
  /** Milliseconds to the head; `undefined` if the site was not asked. */
  siteDuration: number | undefined;
  /** What the client got in place of the site's response. */
  problem: Problem | null = null;
  #progress = '';
  /** What the site's failed response says; empty if it hasn't failed. */
  siteWords = '';
  #forwarded: ForwardedRequest | null = null;

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
  }

  /** A hit forwards nothing. */
  get forwarded(): ForwardedRequest {
    this.#forwarded ??= new ForwardedRequest(this);
    return this.#forwarded;
  }

  /** Whether the site gets these fields exactly as the client sent them. @param names in lower case */
  areForwardedUnchanged(names: readonly string[]): boolean {
    return this.fields.areForwardedUnchanged(names) && this.#forwarded?.canForward(names) !== false;
  }

  /** Asks another address. @param nonce in place of the client's @returns `null` without a response */
  async ask(target: string, isAnonymous: boolean, nonce?: string): Promise<SiteAnswer | null> {
    const { forwarded, site } = this;
    const { server } = forwarded;
    const { addedFields, transports } = site.settings.upstream;
    const asked = withoutFields(forwarded.toHeaders([]), QUESTION);
    const headers = isAnonymous ? withoutCredentials(asked) : withNonce(asked, nonce);
    if (addedFields !== null && server.isConfigured) addFields(headers, addedFields);
    const waiting = new AbortController();
    const stop = site.settings.clock.after(ASK_TIMEOUT, () => waiting.abort());
    const question = { method: 'GET', target, headers, body: null, retryable: true };
    const dispatch = transports.get(server);
    const outcome = await collectFetchOutcome((sink) => dispatch(question, sink), false, waiting.signal);
    const body = outcome.kind === 'response' ? outcome.body : null;
    const first = await body
      ?.getReader()
      .read()
      .catch(() => undefined);
    stop();
    waiting.abort();
    if (outcome.kind !== 'response') return null;
    return {
      status: outcome.head.status,
      text: Buffer.from(first?.value ?? '').toString('latin1', 0, 1_000),
    };
  }

  recordFailure(failure: UpstreamFailure): Problem {
    const problem = toFailureResponse(failure);
    this.problem = problem;
    this.site.recorder.recordFailure(this, failure, problem, this.#progress);
    const { retryAfter } = failure;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return this.#toShown({ ...problem, headers });
  }

  recordRefusal(problem: Problem): Problem {
    this.problem = problem;
    this.site.recorder.recordRefusal(this, problem);
    return this.#toShown(problem);
  }

  #toShown(problem: Problem): Problem {
    return this.resolved.kind === 'page' ? toErrorPage(problem, this.head, this.requestId) : problem;
  }

  record(cacheStatus: CacheStatus | undefined, ending: Ending): void {
    const { recorder } = this.site;
    const { duration, status } = ending;
    const outcome = toCacheOutcome(cacheStatus);
    recorder.record(this, this.memo.trafficKey, outcome, ending);
    if (outcome !== 'hit') recorder.requests.add(this.#toRecent(status, cacheStatus ?? {}, duration));
    if (status < 400 || this.problem !== null) return;
    recorder.recordSiteError(this, status, this.siteWords);
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

  noteHead(head: ResponseHead): void {
    const { resolved, snapshot } = this;
    if (!snapshot.isDiscovered) return;
    const { siteAddress, subsites, title } = snapshot;
    const root = this.site.place.manyHosts === null ? undefined : subsites.readRoot(head);
    const host = root === undefined ? null : subsites.learnHost(root);
    if (host !== null && root !== undefined) {
      const { pathname, search } = new URL(root);
      this.#askIndex(pathname + search, 'name,url', (index) => subsites.noteHostIndex(host, index, title));
    }
    const folder = subsites.learn(this.head.method, resolved.target, head);
    if (folder === null) return;
    const own = toSubsiteRoot(siteAddress, new URL(siteAddress.base).pathname + folder.slice(1));
    this.#askIndex(own, 'url', (index) => subsites.noteIndex(folder, index));
  }

  #askIndex(root: string, fields: string, note: (index: string) => void): void {
    void this.ask(`${root}${root.includes('?') ? '&' : '?'}_fields=${fields}`, true).then((answer) => {
      if (answer?.status === 200) note(answer.text);
    });
  }

  recordUpstream(head: ResponseHead | null, milliseconds: number): void {
    const { availability, traffic } = this.site.recorder;
    this.siteDuration = milliseconds;
    traffic.recordUpstream(this.memo.trafficKey, head?.status ?? null, milliseconds);
    availability.note(describeRoute(this.resolved, this.head.target), head, this.resolved.kind === 'route');
  }

  recordUpstreamFailure(failure: UpstreamFailure, progress: string): void {
    this.#progress = progress;
    this.site.recorder.recordUpstreamFailure(this.memo.trafficKey, failure, progress);
  }

  recordSiteWords(status: number, words: string): void {
    this.siteWords = words;
    if (status >= 500) this.site.recorder.recordUpstreamError(this.memo.trafficKey, status, words);
  }

  describe(): string {
    return `${this.head.method} ${describeRoute(this.resolved, this.head.target)}`;
  }
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const ORIGIN_FIELD: ReadonlySet<string> = new Set(['origin']);

/** A request as its site gets it, for everyone or as its client sent it, and the way back of the response's head. */
export class ForwardedRequest {
  /** Whether the site gets the client's own request, although the resource could be stored. */
  isPassed = false;
  readonly #request: GatewayRequest;
  readonly #siteOrigin: string;
  readonly server: UpstreamServer;
  #sent: { readonly keyedFields: ReadonlySet<string>; readonly headers: string[] } | null = null;

  constructor(request: GatewayRequest) {
    const { resolved, site, snapshot } = request;
    this.#request = request;
    this.#siteOrigin = resolved.kind === 'route' ? snapshot.routeOrigin : snapshot.origin;
    this.server = site.settings.upstream.findServer(this.#siteOrigin);
  }

  get target(): string {
    return this.#storable?.entry.upstreamTarget ?? this.#request.resolved.upstreamTarget;
  }

  get #storable(): CacheEntryPolicy | null {
    const { resource } = this.#request;
    return resource?.kind === 'resource' && !this.isPassed ? resource : null;
  }

  /** With `cors` the gateway decides which origins can read. */
  get #hidesOrigin(): boolean {
    return this.#request.site.cors !== null && this.#storable?.entry.isWordPress === true;
  }

  get storeHead(): RequestHead {
    const { head } = this.#request;
    return this.#hidesOrigin ? { ...head, headers: withoutFields(head.headers, ORIGIN_FIELD) } : head;
  }

  /** Sends the client's own request after one for everyone. */
  passAsSent(): void {
    this.isPassed = true;
    this.#sent = null;
  }

  /** Until the site has got a request, each field can become part of the key. @param names in lower case */
  canForward(names: readonly string[]): boolean {
    const storable = this.#storable;
    if (this.#sent === null || storable === null) return true;
    const { keyedFields } = this.#sent;
    if (storable.entry.isWordPress) return names.every((name) => name === 'origin' || keyedFields.has(name));
    const isForwarded = createSharedFieldFilter(keyedFields, false);
    return names.every((name) => isForwarded(name));
  }

  /** The header section that the site has got, or would get if these fields were part of the key. @param names in lower case */
  preview(names: readonly string[]): readonly string[] {
    return this.#sent?.headers ?? this.#createHeaders(this.#listKeyedFields(names));
  }

  /** @param vary fields that become part of the key, in lower case */
  toHeaders(vary: readonly string[]): string[] {
    const keyedFields = this.#listKeyedFields(vary);
    if (this.#sent?.keyedFields !== keyedFields)
      this.#sent = { keyedFields, headers: this.#createHeaders(keyedFields) };
    return this.#sent.headers;
  }

  #listKeyedFields(names: readonly string[]): ReadonlySet<string> {
    const known = this.#sent?.keyedFields ?? this.#storable?.entry.rule.keyRule.headerSet ?? NO_FIELDS;
    return names.every((name) => known.has(name)) ? known : new Set([...known, ...names]);
  }

  #createHeaders(keyedFields: ReadonlySet<string>): string[] {
    const { fields, head, keyedCookies, requestId, resolved, site, writeObserver } = this.#request;
    const { host, isConfigured } = this.server;
    const { address: publicAddress } = site.place;
    const { mountPath, upstream } = site.settings;
    const { addedFields, isBehindCloudflare } = upstream;
    const asked = this.#askedHost;
    const storable = this.#storable;
    // A plain origin knows clients by their credentials, and says which responses are everyone's (RFC 9111 §3.5).
    const isShared =
      storable !== null &&
      (storable.entry.isWordPress ||
        storable.site.bypassRules.listIdentifyingFields(head.headers).length === 0);
    const isWriteToRoute = writeObserver !== null && resolved.kind === 'route';
    const headers = fields.toUpstreamHeaders(
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
      requestId,
    );
    const sent = this.#hidesOrigin ? withoutFields(headers, ORIGIN_FIELD) : headers;
    const shared =
      storable === null ? sent : toSharedRequestHeaders(sent, storable, keyedFields, keyedCookies);
    if (addedFields !== null && isConfigured) addFields(shared, addedFields);
    return shared;
  }

  /** A site with many hosts is told which one the client has asked for. */
  get #askedHost(): string | undefined {
    const { fields, site } = this.#request;
    return site.place.manyHosts !== null && this.server.isConfigured ? fields.client.host : undefined;
  }

  #findLocation(head: ResponseHead, urls: UrlRewriteOptions): string | undefined {
    const asked = this.#askedHost;
    const origin = asked === undefined ? this.#siteOrigin : this.#siteOrigin.replace(/\/\/.*/, `//${asked}`);
    return findLocation(head, origin + this.target, urls, isPrivateHost);
  }

  toRelayedHead(head: ResponseHead): RelayedHead {
    const { publicBase, site, snapshot } = this.#request;
    const { siteUrls } = snapshot;
    if (hasField(head.headers, 'cf-ray')) site.settings.upstream.isBehindCloudflare = true;
    const { manyHosts: hosts } = site.place;
    const stated = head.status < 300 ? undefined : fieldValue(head.headers, 'location');
    const location = stated && this.#findLocation(head, { siteUrls, publicBase, hosts });
    if (stated !== undefined) site.caching?.writes.noteRedirect(stated, this.#request.head);
    if (stated !== undefined && location === stated) site.noteRedirectPast();
    // A spread would take 5 % of the CPU time of a validated GET.
    const rewriting = { siteUrls, publicBase, hosts, location };
    const siteTags = site.caching?.siteTags ?? null;
    const siteFields = siteTags === null ? null : listSiteFields(head.headers);
    const received =
      siteFields === null ? head : { ...head, headers: withoutFields(head.headers, SITE_FIELDS) };
    const headers = toClientHeaders(received, rewriting);
    return siteFields === null ? { headers } : { headers, siteFields };
  }
}
