import { TokenAttempts } from '../../gateway/site/limiting/token-attempts.ts';
import type { GatewayOptions } from '../../gateway/site/options/gateway-options.ts';
import { toPublicPath } from '../../gateway/site/options/mount-path.ts';
import type { SharedParts } from '../../gateway/site/shared-parts.ts';
import type { OperatedGateway, Operations } from '../../gateway/surfaces.ts';
import { type AdminApp, createAdminApp, createAdminHandler } from '../admin/admin-app.ts';
import { addMetricsOperation } from '../admin/metrics.ts';
import { addPurgeOperation, addWebhookOperation } from '../admin/purge.ts';
import { addHealthOperations, addSiteOperations } from '../admin/site-operations.ts';
import { addConsole, addWhyOperation, createClientReader } from './console-app.ts';
import type { ConsoleContext } from './page.ts';

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
    trust,
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
