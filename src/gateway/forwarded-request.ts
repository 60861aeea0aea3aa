import type { IncomingRequestHead, RequestHead, ResponseHead } from '../base/http/exchange.ts';
import { fieldValue, hasField, withoutFields } from '../base/http/fields.ts';
import { isPrivateHost } from '../base/http/private-address.ts';
import type { RelayedHead } from './exchange/response-relay.ts';
import type { CacheEntryPolicy } from './site/caching/cache-entry.ts';
import { createSharedFieldFilter, toSharedRequestHeaders } from './site/caching/site-cache-request.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { PageRequest, RouteRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';
import { findLocation, toClientHeaders } from './upstream/response-headers.ts';
import { addFields, type UpstreamServer } from './upstream/site-fetch.ts';
import type { CacheBypass } from './wordpress/bypass-rules.ts';
import { listSiteFields, SITE_FIELDS } from './wordpress/site-fields.ts';

const NO_FIELDS: ReadonlySet<string> = new Set();
const ORIGIN_FIELD: ReadonlySet<string> = new Set(['origin']);
interface ClientRequest {
  readonly requestId: string;
  readonly site: MountedSite;
  readonly snapshot: Snapshot;
  readonly head: IncomingRequestHead;
  readonly resolved: RouteRequest | PageRequest;
  readonly fields: RequestHeaders;
  readonly publicBase: string;
  readonly resource: CacheEntryPolicy | CacheBypass | null;
  readonly keyedCookies: string;
  readonly writeObserver: object | null;
}

/** A request as its site gets it, for everyone or as its client sent it, and the way back of the response's head. */
export class ForwardedRequest {
  /** Whether the site gets the client's own request, although the resource could be stored. */
  isPassed = false;
  readonly #request: ClientRequest;
  readonly #siteOrigin: string;
  #sent: { readonly keyedFields: ReadonlySet<string>; readonly headers: string[] } | null = null;

  constructor(request: ClientRequest) {
    const { resolved, snapshot } = request;
    this.#request = request;
    this.#siteOrigin = resolved.kind === 'route' ? snapshot.routeOrigin : snapshot.origin;
  }

  get server(): UpstreamServer {
    return this.#request.site.settings.upstream.findServer(this.#siteOrigin);
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
    const { address: publicAddress, manyHosts } = site.place;
    const { mountPath, upstream } = site.settings;
    const { addedFields, isBehindCloudflare } = upstream;
    const asked = manyHosts !== null && isConfigured ? fields.client.host : undefined;
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

  toRelayedHead(head: ResponseHead): RelayedHead {
    const { publicBase, site, snapshot } = this.#request;
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
    const { manyHosts } = this.#request.site.place;
    return manyHosts !== null && URL.canParse(url) && manyHosts.find(new URL(url).host) === true;
  }

  #findLocation(head: ResponseHead): string | undefined {
    const stated = fieldValue(head.headers, 'location');
    if (stated !== undefined && this.#isServed(stated)) return stated;
    const { publicBase, snapshot } = this.#request;
    const urls = { siteUrls: snapshot.siteUrls, publicBase };
    return findLocation(head, `${this.#siteOrigin}${this.target}`, urls, isPrivateHost);
  }
}
