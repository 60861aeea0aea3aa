import type { Config } from '../../../../generated/option-types.d.ts';
import type { CacheStore } from '../../../cache/store.ts';
import { MemoryStore } from '../../../cache/stores/memory-store.ts';
import { PrimaryStore } from '../../../cache/stores/process-store.ts';
import { createGatewayProcess, getGatewayInternals } from '../../../gateway/gateway.ts';
import { type SiteOptions, systemClock } from '../../../gateway/index.ts';
import { serveAdmin } from '../../../node/server.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { DEFAULT_CONCURRENCY } from '../../../upstream/site-connections.ts';
import { DEFAULT_WEB_SOCKETS } from '../../../upstream/web-socket-limit.ts';
import type { CommandIo, ExitCode } from '../../io.ts';
import { optimizeAsUsual } from '../../optimization.ts';
import { readActivatedSockets } from '../activated-sockets.ts';
import type { ServeLogs } from '../log.ts';
import {
  createGatewayOptions,
  createLoopSignal,
  openStore,
  readSites,
  waitUntilStopped,
} from '../run-gateway.ts';
import type { ServerUrls } from './messages.ts';
import { Workers } from './workers.ts';

/**
 * Runs the primary process of `waygate serve --workers`: it starts the workers, which serve the sites, and does everything
 * else. Ends like `runGatewayUntilSignal`.
 */
export async function runPrimary(
  config: Config,
  count: number,
  logs: ServeLogs,
  io: CommandIo,
): Promise<ExitCode> {
  process.title = 'waygate primary';
  const { admin: fd, main } = readActivatedSockets(io.env, process.pid);
  const { log } = logs;
  const sites = await readSites(config);
  const { ofPrimary, ofWorker } = divideMemory(config, count);
  const store = await openPrimaryStore(ofPrimary, log);
  // The documents and overlays of the sites reach the workers with the snapshots.
  const workerSites = sites.map(({ document: _, overlay: __, ...site }) => divideLimits(site, count));
  const workers = new Workers({
    ...{ config: ofWorker, sites: workerSites, count, store, logs },
    hasActivatedSockets: main !== undefined,
  });
  const loop = createLoopSignal(config);
  const gateway = createGatewayProcess(
    { ...createGatewayOptions(ofPrimary, sites, store, undefined, log), onLoop: loop.onLoop },
    workers,
  );
  // The first discovery begins while the workers start, and they begin with the stored documents.
  await gateway.restore();
  gateway.start();
  void gateway.rediscover().then(optimizeAsUsual);
  let admin: Awaited<ReturnType<typeof serveAdmin>> | undefined;
  const close = async (): Promise<void> => {
    admin?.close();
    await gateway.stop();
    if (store !== 'off') await store.close();
  };
  const start = async (): Promise<ServerUrls> => {
    const urls = await workers.start(gateway);
    const { host, port } = config.admin;
    if (port !== undefined) {
      admin = await serveAdmin(gateway, { port, host, fd, reusePort: config.reusePort });
    }
    return urls;
  };
  const urls = await start().catch(async (error: unknown) => {
    await workers.kill();
    await close();
    throw error;
  });
  const stop = async (): Promise<void> => {
    getGatewayInternals(gateway).beginStop();
    await workers.stop();
    await close();
  };
  const running = { ...urls, ...omitUndefined({ adminUrl: admin?.url }), gateway, stop, workers: count };
  return waitUntilStopped(config, logs, io, running, loop.looped);
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

/** Divides what may wait and what is open at once among the workers, rounded up. They share the slots of a site (`SiteSlots`). */
function divideLimits(site: SiteOptions, count: number): SiteOptions {
  const { connections = DEFAULT_WEB_SOCKETS.connections, perClient = DEFAULT_WEB_SOCKETS.perClient } =
    site.webSockets ?? {};
  const { queue = DEFAULT_CONCURRENCY.queue } = site.concurrency ?? {};
  const share = (limit: number): number => Math.ceil(limit / count);
  return {
    ...site,
    concurrency: { ...site.concurrency, queue: share(queue) },
    webSockets: { ...site.webSockets, connections: share(connections), perClient: share(perClient) },
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
