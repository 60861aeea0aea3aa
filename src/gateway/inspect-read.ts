import type { CachingInspection, RequestInspection } from '../console/inspection.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { SiteCacheRequest } from '../site/caching/cache-entry.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../site/snapshot/snapshot.ts';
import { TargetMemo } from '../site/target-memos.ts';
import { readRequestHeaders } from '../upstream/request-headers.ts';
import { GatewayRequest } from './gateway-request.ts';

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
