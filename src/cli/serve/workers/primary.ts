import type { CacheStore } from '../../../cache/store.ts';
import { MemoryStore } from '../../../cache/stores/memory-store.ts';
import { PrimaryStore } from '../../../cache/stores/process-store.ts';
import { withoutCredentials } from '../../../discovery/redact.ts';
import { createGatewayProcess, getGatewayInternals } from '../../../gateway/gateway.ts';
import { type SiteOptions, systemClock } from '../../../gateway/index.ts';
import { serveAdmin } from '../../../node/server.ts';
import type { Config } from '../../../option-types.ts';
import type { CommandIo, ExitCode } from '../../io.ts';
import { waitForStopSignal } from '../../signals.ts';
import { readActivatedSockets } from '../activated-sockets.ts';
import type { ServeLogs } from '../log.ts';
import { createGatewayOptions, openStore, readSites } from '../run-gateway.ts';
import { describeStart } from '../start-message.ts';
import { Workers } from './workers.ts';

/**
 * Runs the primary process of `waygate serve --workers`: it starts the workers, which serve the sites, and does everything
 * else. Ends like `runGatewayUntilSignal`.
 */
export async function runPrimary(
  config: Config,
  count: number,
  logs: ServeLogs,
  { env, isInteractive, writeErr }: CommandIo,
): Promise<ExitCode> {
  process.title = 'waygate primary';
  const { admin: fd, main } = readActivatedSockets(env, process.pid);
  const hasActivatedSockets = main !== undefined;
  const { log } = logs;
  const sites = await readSites(config);
  const { ofPrimary, ofWorker } = divideMemory(config, count);
  const store = await openPrimaryStore(ofPrimary, log);
  const shared = store instanceof PrimaryStore ? store : null;
  // The documents and overlays of the sites reach the workers with the snapshots.
  const workerSites = sites.map(({ document: _, overlay: __, ...site }) => divideLimits(site, count));
  const workers = new Workers({
    ...{ config: ofWorker, sites: workerSites, count, store: shared, logs },
    hasActivatedSockets,
  });
  const gateway = createGatewayProcess(
    createGatewayOptions(ofPrimary, sites, store, undefined, log),
    workers,
  );
  const closeStore = async (): Promise<void> => {
    if (store !== 'off') await store.close();
  };
  // The first discovery begins while the workers start, and they begin with the stored documents.
  await gateway.restore();
  gateway.start();
  const { admin: adminConfig, reusePort } = config;
  const started = async () => {
    const urls = await workers.start(gateway);
    const admin =
      adminConfig.port === undefined
        ? undefined
        : await serveAdmin(gateway, { port: adminConfig.port, host: adminConfig.host, fd, reusePort });
    return { ...urls, admin };
  };
  const { admin, redirectUrl, url } = await started().catch(async (error: unknown) => {
    await workers.kill();
    await Promise.all([gateway.stop(), closeStore()]);
    throw error;
  });
  const adminUrl = admin?.url;
  log.info(
    {
      url,
      admin: adminUrl,
      redirect: redirectUrl,
      workers: count,
      sites: config.sites.map(({ name, url: site }) => ({
        name,
        url: withoutCredentials(new URL(site).href),
      })),
    },
    'listening',
  );
  if (isInteractive) writeErr(describeStart(config, url, adminUrl));

  const rediscover = (): void => void gateway.rediscover();
  process.on('SIGHUP', rediscover);
  const signal = await waitForStopSignal();
  process.off('SIGHUP', rediscover);
  log.info({ signal }, 'stopping');
  log.flush();
  getGatewayInternals(gateway).beginStop();
  await workers.stop();
  admin?.close();
  await gateway.stop();
  await closeStore();
  log.info({}, 'stopped');
  return 0;
}

const MIB = 1024 * 1024;

/**
 * Divides the memory among the processes. The primary process has half of the cache, because it holds every response once, and
 * each worker an equal part of the rest. With Redis the primary process stores next to nothing.
 */
function divideMemory(
  config: Config,
  count: number,
): { readonly ofPrimary: Config; readonly ofWorker: Config } {
  const { bodies, cache } = config;
  const processes = count + 1;
  const { memory, memoryPerClient } = bodies;
  const share = {
    ...bodies,
    memory: Math.floor(memory / processes),
    memoryPerClient: memoryPerClient === undefined ? undefined : Math.floor(memoryPerClient / processes),
  };
  const ofStore = cache.store === 'memory' ? cache.maxBytes / 2 : Math.min(MIB, cache.maxBytes / 2);
  return {
    ofPrimary: { ...config, bodies: share, cache: { ...cache, maxBytes: Math.floor(ofStore) } },
    ofWorker: {
      ...config,
      bodies: share,
      cache: { ...cache, maxBytes: Math.floor((cache.maxBytes - ofStore) / count) },
    },
  };
}

/** Divides what a site may get at once among the workers. */
function divideLimits(site: SiteOptions, count: number): SiteOptions {
  const share = (limit: number | undefined): number | undefined =>
    limit === undefined ? undefined : Math.ceil(limit / count);
  const { concurrency, webSockets } = site;
  return {
    ...site,
    concurrency: { ...concurrency, max: share(concurrency?.max), queue: share(concurrency?.queue) },
    webSockets: {
      ...webSockets,
      connections: share(webSockets?.connections),
      perClient: share(webSockets?.perClient),
    },
  };
}

async function openPrimaryStore({ cache }: Config, log: ServeLogs['log']): Promise<'off' | CacheStore> {
  if (cache.store !== 'memory') return openStore(cache, log);
  const memory = new MemoryStore({
    maxBytes: cache.maxBytes,
    maxEntryBytes: cache.maxEntryBytes,
    clock: systemClock,
  });
  return new PrimaryStore({ memory, clock: systemClock, monotonicNow: () => performance.now() });
}
