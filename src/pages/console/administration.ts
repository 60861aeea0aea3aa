import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { GatewayRequest } from '../../gateway/gateway-request.ts';
import { SiteCacheRequest } from '../../gateway/site/caching/site-cache-request.ts';
import { TokenAttempts } from '../../gateway/site/limiting/token-attempts.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import type { GatewayOptions } from '../../gateway/site/options/gateway-options.ts';
import { toPublicPath } from '../../gateway/site/options/mount-path.ts';
import type { SharedParts } from '../../gateway/site/shared-parts.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../../gateway/site/snapshot/snapshot.ts';
import { TargetMemo } from '../../gateway/site/target-memos.ts';
import type { OperatedGateway, Operations } from '../../gateway/surfaces.ts';
import type { TrustedProxyCheck } from '../../gateway/upstream/forwarded.ts';
import { readRequestHeaders } from '../../gateway/upstream/request-headers.ts';
import { type AdminApp, createAdminApp, createAdminHandler } from '../admin/admin-app.ts';
import { addMetricsOperation } from '../admin/metrics.ts';
import { addPurgeOperation, addWebhookOperation } from '../admin/purge.ts';
import { addHealthOperations, addSiteOperations } from '../admin/site-operations.ts';
import { addConsole, addWhyOperation, createClientReader } from './console-app.ts';
import type { CachingInspection, ConsoleContext, RequestInspection } from './page.ts';

export function createOperations(
  parts: SharedParts,
  { findSite, rediscover, sites }: OperatedGateway,
): Operations {
  const { clock, log, options, trust } = parts;
  const { alerts, listLogLines = () => [], token } = options.admin ?? {};
  const attempts = new TokenAttempts(clock);
  const context: ConsoleContext = {
    ...parts,
    ...{ findSite, sites, token, attempts },
    publicPath: toPublicPath(options.publicUrl, ''),
    ...{ alerts, listLogLines },
    readClient: createClientReader(options.publicUrl, trust),
    toSiteUrl: createSiteLinks(options),
    inspectRead: (site, head) => inspectRead(site, head, trust),
  };
  const addHealth = (app: AdminApp): void => addHealthOperations(app, context);
  const addOperations = (app: AdminApp): void => {
    addHealth(app);
    addSiteOperations(app, { ...context, rediscover, reload: options.admin?.reload });
    addPurgeOperation(app, context);
    addWhyOperation(app, context);
    addWebhookOperation(app, sites, clock, log);
    addMetricsOperation(app, { ...context, ...parts });
  };
  const app = createAdminApp(context, addOperations, (own) => addConsole(own, context));
  const publicApp = options.admin?.port !== undefined ? createAdminApp(context, addHealth) : app;
  return {
    admin: createAdminHandler(app),
    publicAdmin: createAdminHandler(publicApp),
  };
}

function createSiteLinks({ admin }: GatewayOptions): ConsoleContext['toSiteUrl'] {
  const isElsewhere = admin?.port !== undefined;
  return ({ client, root }, site) => {
    const { hosts, mountPath, publicUrl } = site.settings;
    const url = publicUrl?.replace(/\/+$/, '');
    if (hosts.length > 0) return url ?? toHostUrl(hosts, isElsewhere ? '' : client.host);
    if (!isElsewhere) return `${root}../..${mountPath}`;
    return url === undefined ? null : url + mountPath;
  };
}

/** A URL of a site by host, with the scheme of the linking page; `null` if its hosts are wildcards. */
function toHostUrl(hosts: readonly string[], consoleHost: string): string | null {
  const host = hosts.find((each) => !each.startsWith('*.'));
  if (host === undefined) return null;
  const port = /:\d+$/.test(host) ? '' : (/:\d+$/.exec(consoleHost)?.[0] ?? '');
  return `//${host}${port}`;
}

/** `null` before the site was discovered. Nothing is sent, counted or changed. */
async function inspectRead(
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
