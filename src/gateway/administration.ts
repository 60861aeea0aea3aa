import { type Clock, type Log, silentLog, systemClock } from '../ports.ts';
import type { TrustedProxyCheck } from '../upstream/forwarded.ts';
import { type AdminHandler, createAdminHandler } from './admin/admin-handler.ts';
import { createMetricsOperation } from './admin/metrics.ts';
import { createPurgeOperation, createWebhookOperation } from './admin/purge.ts';
import {
  createDrainOperations,
  createHealthOperations,
  createSiteOperations,
  type DrainSwitch,
} from './admin/site-operations.ts';
import { TokenAttempts } from './admin/token-attempts.ts';
import { createClientReader, createConsoleResponder } from './console/console-server.ts';
import type { ConsoleContext } from './console/page.ts';
import { loadPackagedDocs } from './local/docs-server.ts';
import type { GatewayOptions } from './options/gateway-options.ts';
import { toPublicPath } from './options/mount-path.ts';
import type { ProcessRole } from './process-role.ts';
import { StatusReader, type StatusSources } from './process-status.ts';
import { combineStoreReaders, createStoreReader } from './store-reader.ts';

/** What the operations below `/-/` and the console read and change. */
interface AdministrationDependencies extends StatusSources, Pick<ConsoleContext, 'findSite' | 'hosts'> {
  readonly role: ProcessRole | null;
  readonly rediscover: () => Promise<void>;
  readonly trust: TrustedProxyCheck;
}

/** The gateway's own operations and its console. */
export interface Administration {
  /** Serves all of them. */
  readonly admin: AdminHandler;
  /** Serves those that the public address has. */
  readonly publicAdminHandler: AdminHandler;
  /** Stops being ready, and ends the streams of the console: they would delay the end of the server. */
  beginStop(): void;
}

export function createAdministration(
  options: GatewayOptions,
  dependencies: AdministrationDependencies,
): Administration {
  const { rediscover, role, sites, trust } = dependencies;
  const clock: Clock = options.clock ?? systemClock;
  const log: Log = options.log ?? silentLog;
  const token = options.admin?.token;
  const drain: DrainSwitch = { isDraining: false };
  const status = new StatusReader(dependencies, role?.kind === 'primary' ? role : null);
  const healthOperations = createHealthOperations(sites, drain, status);
  const stopping = new AbortController();
  const attempts = new TokenAttempts(clock);
  const context: ConsoleContext = {
    ...dependencies,
    token,
    attempts,
    publicPath: toPublicPath(options.publicUrl, ''),
    status,
    stores:
      role?.kind === 'primary'
        ? combineStoreReaders(() => role.listStores())
        : createStoreReader({ ...dependencies, clock }),
    clock,
    log,
    drain,
    readClient: createClientReader(options.publicUrl, trust),
    toSiteUrl: createSiteLinks(options),
    loadDocs: options.docs ?? loadPackagedDocs,
    stopping: stopping.signal,
  };
  if (role?.kind === 'worker') {
    const worker = createAdminHandler(context, [], role.respondByPrimary);
    return { admin: worker, publicAdminHandler: worker, beginStop: () => {} };
  }
  const operations = [
    ...healthOperations,
    ...createSiteOperations(sites, rediscover, status),
    ...createDrainOperations(drain),
    createPurgeOperation(context),
    createWebhookOperation(sites, clock),
    createMetricsOperation(dependencies, status),
  ];
  const admin = createAdminHandler(context, operations, createConsoleResponder(context));
  const isElsewhere = options.admin?.elsewhere === true;
  return {
    admin,
    publicAdminHandler: isElsewhere ? createAdminHandler(context, healthOperations) : admin,
    beginStop() {
      drain.isDraining = true;
      stopping.abort();
    },
  };
}

/** The console may be on another listener than the sites. */
function createSiteLinks({ admin }: GatewayOptions): ConsoleContext['toSiteUrl'] {
  const isElsewhere = admin?.elsewhere === true;
  return ({ client, root }, site) => {
    const url = site.publicUrl?.replace(/\/+$/, '');
    if (site.hosts.length > 0) return url ?? toHostUrl(site.hosts, isElsewhere ? '' : client.host);
    if (!isElsewhere) return `${root}../..${site.mount}`;
    return url === undefined ? null : url + site.mount;
  };
}

/** Returns a URL of a site by host, with the scheme of the page that links to it; `null` if its hosts are wildcards. */
function toHostUrl(hosts: readonly string[], consoleHost: string): string | null {
  const host = hosts.find((each) => !each.startsWith('*.'));
  if (host === undefined) return null;
  const port = /:\d+$/.test(host) ? '' : (/:\d+$/.exec(consoleHost)?.[0] ?? '');
  return `//${host}${port}`;
}
