import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import type { LookupExplanation } from '../cache/cache-request.ts';
import { GatewayRequest } from '../gateway-request.ts';
import type { CacheEntryPolicy } from '../site/caching/cache-entry.ts';
import { SiteCacheRequest } from '../site/caching/site-cache-request.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { PageRequest, ResolvedRequest, RouteRequest, Snapshot } from '../site/snapshot/snapshot.ts';
import { TargetMemo } from '../site/target-memos.ts';
import type { ValidationInspection } from '../site/validating/site-validation.ts';
import type { TrustedProxyCheck } from '../upstream/forwarded.ts';
import { readRequestHeaders } from '../upstream/request-headers.ts';
import type { CacheBypass } from '../wordpress/bypass-rules.ts';

export interface RequestInspection {
  readonly snapshot: Snapshot;
  readonly resolved: ResolvedRequest;
  /** `null` if the request is not validated, or is for no route. */
  readonly validation: ValidationInspection | null;
  /** `null` if nothing of the site is cached, if the request is for no route and no page, or if its header section is refused. */
  readonly caching: CachingInspection | null;
}

export interface CachingInspection {
  readonly resource: CacheEntryPolicy | CacheBypass;
  readonly lookup: (LookupExplanation & { readonly key: string; readonly publicBase: string }) | null;
}

/** `null` before the site was discovered. Nothing is sent, counted or changed. */
export async function inspectRead(
  site: MountedSite,
  head: IncomingRequestHead,
  trust: TrustedProxyCheck,
): Promise<RequestInspection | null> {
  const { snapshot } = site.runtime;
  if (snapshot === null) return null;
  const resolved = snapshot.resolveRequest(head);
  if (resolved.kind === 'own') return { snapshot, resolved, validation: null, caching: null };
  return {
    snapshot,
    resolved,
    validation: resolved.kind === 'route' ? site.validation.inspect(snapshot, { resolved, head }) : null,
    caching: await inspectCaching(site, snapshot, resolved, head, trust),
  };
}

async function inspectCaching(
  site: MountedSite,
  snapshot: Snapshot,
  resolved: RouteRequest | PageRequest,
  head: IncomingRequestHead,
  trust: TrustedProxyCheck,
): Promise<CachingInspection | null> {
  const fields = readRequestHeaders(head, trust);
  if (site.caching === null || fields.refusal !== null) return null;
  const resource = site.caching.findResource(snapshot, resolved, head);
  if (resource.kind === 'bypass') return { resource, lookup: null };
  const memo = new TargetMemo(snapshot, resolved, head.method);
  const request = new GatewayRequest(
    { requestId: '', client: fields.client.address, head, fields },
    site,
    snapshot,
    memo,
    resolved,
  );
  request.resource = resource;
  const { publicBase } = request;
  const cacheRequest = new SiteCacheRequest(resource, request.storeHead, publicBase, request);
  const { key } = cacheRequest;
  const { cache } = site.caching;
  const explanation = cache.explain(cacheRequest, await cache.store.get(key));
  return { resource, lookup: { ...explanation, key, publicBase } };
}
