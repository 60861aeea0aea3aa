import type { LookupExplanation } from '../cache/cache-request.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { type CacheEntryPolicy, SiteCacheRequest } from '../site/caching/cache-entry.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { PageRequest, ResolvedRequest, RouteRequest, Snapshot } from '../site/snapshot/snapshot.ts';
import { TargetMemo } from '../site/target-memos.ts';
import type { ValidationInspection } from '../site/validating/site-validation.ts';
import { readRequestHeaders } from '../upstream/request-headers.ts';
import type { CacheBypass } from '../wordpress/shared-requests.ts';
import { GatewayRequest } from './gateway-request.ts';

/** What the gateway would do with a read at this moment, by the decisions that a request takes. */
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
  /** `null` if the request bypasses the store. */
  readonly lookup: (LookupExplanation & { readonly key: string; readonly publicBase: string }) | null;
}

/** Inspects a read without sending, counting, recording or changing anything. `null` before the site was discovered. */
export async function inspectRead(
  site: MountedSite,
  head: IncomingRequestHead,
): Promise<RequestInspection | null> {
  const { snapshot } = site.runtime;
  if (snapshot === null) return null;
  const resolved = snapshot.resolveRequest(head);
  if (resolved.kind === 'own') return { snapshot, resolved, validation: null, caching: null };
  return {
    snapshot,
    resolved,
    validation: resolved.kind === 'route' ? site.validation.inspect(snapshot, { resolved, head }) : null,
    caching: await inspectCaching(site, snapshot, resolved, head),
  };
}

async function inspectCaching(
  site: MountedSite,
  snapshot: Snapshot,
  resolved: RouteRequest | PageRequest,
  head: IncomingRequestHead,
): Promise<CachingInspection | null> {
  const fields = readRequestHeaders(head, site.trust);
  if (site.caching === null || fields.refusal !== null) return null;
  const resource = site.caching.findResource(snapshot, resolved, head);
  if (resource.kind === 'bypass') return { resource, lookup: null };
  const received = { requestId: '', head, fields };
  const request = new GatewayRequest(
    received,
    site,
    snapshot,
    new TargetMemo(snapshot, resolved, head.method),
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

/** The tags by which what is stored for a read is purged; those of its address if nothing is; `null` if it bypasses the store. */
export function listTags({ lookup, resource }: CachingInspection): readonly string[] | null {
  if (lookup === null || resource.kind === 'bypass') return null;
  return lookup.selected?.tags ?? resource.addressTags;
}
