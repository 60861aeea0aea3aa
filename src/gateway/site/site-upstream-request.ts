import {
  createPlainFieldFilter,
  createSharedFieldFilter,
} from '../../cache/wordpress/shared-request-fields.ts';
import { addFields } from '../../upstream/added-fields.ts';
import { isFieldForwardedUnchanged } from '../../upstream/request-headers.ts';
import { RequestRewriter } from '../../upstream/rewrite-request.ts';
import { type CacheableResourceProperties, toSharedRequestHeaders } from '../caching/resource-resolver.ts';
import type { UpstreamHeaders } from '../caching/site-cache-request.ts';

import type { PlannedUpstreamRequest } from '../plan/plan.ts';
import { mayChangeSite } from './circuit-subject.ts';
import type { ForwardedRequest, SiteForwardingOptions } from './forwarded-request.ts';

const NO_FIELDS: ReadonlySet<string> = new Set();

/** The upstream request of one plan. It builds its header list on first use. */
export class SiteUpstreamRequest implements PlannedUpstreamRequest, UpstreamHeaders {
  readonly method: string;
  readonly hasBody: boolean;
  readonly #site: SiteForwardingOptions;
  readonly #forwarded: ForwardedRequest;
  /** Properties of the resource; `null` if the request does not use the store. */
  readonly #resource: CacheableResourceProperties | null;
  #keyedFields: ReadonlySet<string>;
  #headers: string[] | undefined;

  constructor(site: SiteForwardingOptions, forwarded: ForwardedRequest) {
    const { hasBody, head, resource } = forwarded;
    this.method = head.method;
    this.hasBody = hasBody;
    this.#site = site;
    this.#forwarded = forwarded;
    this.#resource = resource?.kind === 'resource' ? resource.properties : null;
    this.#keyedFields = this.#resource?.rule.keyRule.headerSet ?? NO_FIELDS;
  }

  get target(): string {
    const target = this.#resource?.upstreamTarget ?? this.#forwarded.resolved.upstreamTarget;
    return this.#site.rewriteBodies && target.includes('?')
      ? createRequestRewriter(this.#forwarded).rewriteTarget(target)
      : target;
  }

  get retryable(): boolean {
    return !this.hasBody && !mayChangeSite(this.method, this.#forwarded.resolved);
  }

  get headers(): string[] {
    this.#headers ??= this.#buildHeaders();
    return this.#headers;
  }

  areForwardedUnchanged(names: readonly string[]): boolean {
    if (this.#forwarded.requestHeaders.hasConnectionFields) return false;
    if (!names.every(isFieldForwardedUnchanged)) return false;
    return this.#areForwarded(names);
  }

  addKeyedFields(names: readonly string[]): void {
    // Once the request was forwarded, its response depends on the fields that it had then.
    if (this.#headers !== undefined || this.#areForwarded(names)) return;
    this.#keyedFields = new Set([...this.#keyedFields, ...names]);
  }

  /** `Origin` is part of the key of every request. */
  #areForwarded(names: readonly string[]): boolean {
    if (this.#resource === null) return true;
    if (!this.#resource.isWordPress) return names.every(createPlainFieldFilter(this.#keyedFields));
    return names.every((name) => name === 'origin' || this.#keyedFields.has(name));
  }

  #buildHeaders(): string[] {
    const { attributes, requestHeaders, resolved, snapshot, writeObserver } = this.#forwarded;
    const resource = this.#resource;
    const { mount, rewriteBodies, upstream } = this.#site;
    const { addedFields, configuredOrigin } = upstream;
    // The response to a write shows what it changed.
    const isWriteToRoute = writeObserver !== null && resolved.kind === 'route';
    const requestsIdentity = rewriteBodies || resource?.isRoute === true || isWriteToRoute;
    const createFilter = resource?.isWordPress === true ? createSharedFieldFilter : createPlainFieldFilter;
    const isShared = resource === null ? undefined : createFilter(this.#keyedFields);
    const options = { host: upstream.host ?? snapshot.host, mountPath: mount, requestsIdentity, isShared };
    const headers = requestHeaders.toUpstreamHeaders(options, attributes.requestId);
    const shared = resource === null ? headers : toSharedRequestHeaders(headers, resource, this.#keyedFields);
    const isConfiguredOrigin = upstream.host !== undefined || snapshot.origin === configuredOrigin;
    if (addedFields !== null && isConfiguredOrigin) addFields(shared, addedFields);
    if (rewriteBodies) createRequestRewriter(this.#forwarded).rewriteHeaders(shared, this.hasBody);
    return shared;
  }
}

/** Creates the rewriter of a request for a site with `rewriteBodies`. */
export function createRequestRewriter({ publicBase, snapshot }: ForwardedRequest): RequestRewriter {
  return new RequestRewriter(publicBase, snapshot.siteUrls);
}
