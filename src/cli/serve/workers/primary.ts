import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../../generated/option-types.d.ts';
import { WorkerPurges } from '../../../cache/stores/worker-store.ts';
import { locateStore } from '../../../config/config.ts';
import { createGatewayProcess, getGatewayInternals } from '../../../gateway/gateway.ts';
import { type GatewayOptions, type SiteOptions, systemClock } from '../../../gateway/index.ts';
import { reportProcess } from '../../../node/process-reporter.ts';
import { serveAdmin } from '../../../node/server.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_WEB_SOCKETS } from '../../../upstream/site-connections.ts';
import type { ExitCode } from '../../io.ts';
import { optimizeAsUsual } from '../../optimization.ts';
import { readActivatedSockets } from '../activated-sockets.ts';
import { createGatewayOptions, openStore, readSites } from '../gateway-settings.ts';
import { purgeForLostWritesLater } from '../lost-writes.ts';
import { ConfigReload, type ServeRun } from '../reload.ts';
import { createReporter, waitUntilStopped } from '../run-gateway.ts';
import { Workers } from './workers.ts';

/**
 * Runs the primary process of `waygate serve --workers`: it starts the workers, which serve the sites, and does everything
 * else. Ends like `runGatewayUntilSignal`.
 */
export async function runPrimary(config: Config, count: number, run: ServeRun): Promise<ExitCode> {
  const { io, logs } = run;
  process.title = 'waygate primary';
  const { admin: fd, main } = readActivatedSockets(config, io.env, process.pid);
  const { log } = logs;
  const sites = await readSites(config);
  const { ofPrimary, ofWorker } = divideMemory(config, count);
  const purges = new WorkerPurges(systemClock, () => performance.now());
  const store = locateStore(config) === 'memory' ? purges.store : await openStore(ofPrimary, log);
  const workers = new Workers({
    ...{ count, purges, logs },
    settings: { config: ofWorker, createSites: (number) => createWorkerSites(sites, count, number) },
    hasActivatedSockets: main !== undefined,
  });
  const toOptions = (of: Config, ofSites: readonly SiteOptions[]): GatewayOptions =>
    reload.addTo(createGatewayOptions(of, ofSites, store, undefined, log));
  const reload: ConfigReload = new ConfigReload(
    run,
    { config, sites },
    {
      rediscover: () => gateway.rediscover(),
      async prepare(next) {
        const divided = divideMemory(next.config, count);
        const options = toOptions(divided.ofPrimary, next.sites);
        const created = createGatewayProcess(options, workers, getGatewayInternals(gateway));
        const use = await workers.prepare(created, {
          config: divided.ofWorker,
          createSites: (number) => createWorkerSites(next.sites, count, number),
        });
        return async () => {
          ({ shutdownDelay } = next.config);
          gateway = created;
          await use();
        };
      },
    },
  );
  let { shutdownDelay } = config;
  let gateway = createGatewayProcess(toOptions(ofPrimary, sites), workers);
  const { figures } = getGatewayInternals(gateway);
  figures.reporters.add(createReporter(logs));
  // With Redis, the workers of the process before are forgotten there.
  if (run.crashed !== undefined && locateStore(config) === 'memory')
    purgeForLostWritesLater(getGatewayInternals(gateway));
  const endReports = reportProcess(figures);
  // The first discovery begins while the workers start, and they begin with the stored documents.
  await gateway.restore();
  gateway.start();
  const discovered = gateway.rediscover().then(optimizeAsUsual);
  let admin: Awaited<ReturnType<typeof serveAdmin>> | undefined;
  try {
    const urls = await workers.start(gateway);
    const { host, port } = config.admin;
    if (port !== undefined) {
      admin = await serveAdmin(() => gateway, { port, host, fd, reusePort: config.reusePort });
    }
    const stop = async (): Promise<void> => {
      getGatewayInternals(gateway).beginStop();
      if (shutdownDelay > 0) await sleep(shutdownDelay);
      await workers.stop();
    };
    const running = {
      ...urls,
      ...omitUndefined({ adminUrl: admin?.url }),
      ...{ discovered, reload, stop, workers: count },
      cutOff: () => workers.cutOff(),
    };
    return await waitUntilStopped(config, run, running);
  } finally {
    endReports();
    await workers.kill();
    admin?.close();
    await gateway.stop();
    if (store !== 'off') await store.close();
  }
}

const MIB = 1024 * 1024;

/** Divides the memory among the processes. The primary process stores nothing, or with Redis next to nothing. */
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
  const { maxBytes } = cache;
  const shareOf = (limit: number | undefined): number | undefined =>
    limit === undefined ? undefined : Math.ceil(limit / count);
  const overload = {
    ...config.overload,
    maxConnections: shareOf(config.overload.maxConnections),
    maxRequestsInFlight: shareOf(config.overload.maxRequestsInFlight),
    maxMemory: shareOf(config.overload.maxMemory),
  };
  return {
    ofPrimary: { ...config, bodies: share, cache: { ...cache, maxBytes: Math.min(MIB, maxBytes) } },
    ofWorker: {
      ...config,
      shutdownDelay: 0,
      overload,
      bodies: share,
      cache: { ...cache, maxBytes: Math.floor(maxBytes / count) },
    },
  };
}

/** Returns the sites of a worker. Their documents and overlays reach it with the snapshots. */
function createWorkerSites(
  sites: readonly SiteOptions[],
  count: number,
  worker: number,
): readonly SiteOptions[] {
  return sites.map(({ document: _, overlay: __, ...site }) => divideLimits(site, count, worker));
}

/**
 * Divides what a site works on at once, what may wait and what is open among the workers. The first ones get what is left over of the
 * requests at once, and each may send one at least.
 */
function divideLimits(site: SiteOptions, count: number, worker: number): SiteOptions {
  const { connections = DEFAULT_WEB_SOCKETS.connections, perClient = DEFAULT_WEB_SOCKETS.perClient } =
    site.webSockets ?? {};
  const { max = DEFAULT_CONCURRENCY.max, queue = DEFAULT_CONCURRENCY.queue } = site.concurrency ?? {};
  const share = (limit: number): number => Math.ceil(limit / count);
  const ofWorker = Math.max(1, Math.floor(max / count) + (worker <= max % count ? 1 : 0));
  return {
    ...site,
    concurrency: { ...site.concurrency, max: ofWorker, queue: share(queue) },
    webSockets: { ...site.webSockets, connections: share(connections), perClient: share(perClient) },
  };
}
