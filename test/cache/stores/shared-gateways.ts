import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type CacheStoreOptions,
  createCacheStore,
  type OpenCacheStore,
} from '../../../src/cache/stores/create-store.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

/** Gateways that share a real Redis, in front of a site that counts its writes. They stop after the test. */
export interface Instance {
  readonly store: OpenCacheStore;
  readonly gateway: RunningGateway;
  readonly logged: string[];
}

interface VersionedSite {
  url: string;
  reads: number;
  /** Delays responses to reads. */
  delay(): Promise<unknown>;
}

/** A site whose responses are the number of writes to their path, and fresh for a minute. */
export async function startVersionedSite(padding = ''): Promise<VersionedSite> {
  const versions = new Map<string, number>();
  const site: VersionedSite = { url: '', reads: 0, delay: () => sleep(3) };
  const { close, origin } = await startServer(async (request, response) => {
    request.resume();
    const path = request.url ?? '';
    const isWrite = request.method === 'POST';
    const writeTime = path.startsWith('/slow') ? 40 : 0;
    if (isWrite) await sleep(writeTime);
    const version = (versions.get(path) ?? 0) + Number(isWrite);
    versions.set(path, version);
    if (!isWrite) site.reads += 1;
    // The response is older than its arrival.
    await (isWrite ? sleep(writeTime) : site.delay());
    response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`${version} ${padding}`);
  });
  closeAfterTest(close);
  site.url = origin;
  return site;
}

type StoreLocation = Parameters<typeof createCacheStore>[0];

export async function openLoggedStore(
  location: StoreLocation,
  logged: string[],
  redis: CacheStoreOptions['redis'] = {},
): Promise<OpenCacheStore> {
  const write = (facts: object, message: string): void =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const store = await createCacheStore(location, { redis, log: { info: write, warn: write, error: write } });
  closeAfterTest(() => store.close());
  return store;
}

export async function startInstance(
  siteUrl: string,
  location: StoreLocation,
  options?: CacheStoreOptions['redis'],
): Promise<Instance> {
  const logged: string[] = [];
  const store = await openLoggedStore(location, logged, options);
  const gateway = await startNodeGateway({
    sites: [{ url: siteUrl, discovery: 'off', passthrough: true, breaker: false }],
    cache: store,
    // As behind a load balancer: responses contain the same public URL.
    publicUrl: 'http://gateway.example.com',
    admin: { token: 'token' },
  });
  closeAfterTest(() => gateway.stop());
  // A response that is requested in the millisecond of the start counts as earlier.
  await sleep(5);
  return { store, gateway, logged };
}

interface Answer {
  readonly status: number;
  /** The number of writes that the response shows. */
  readonly version: number;
  readonly isHit: boolean;
}

export async function ask(
  { gateway }: Instance,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> {
  const response = await gateway.request(path, { method });
  const version = Number.parseInt(await response.text(), 10);
  const isHit = response.headers.get('cache-status')?.includes('hit') === true;
  return { status: response.status, version, isHit };
}

export async function askVersion(...request: Parameters<typeof ask>): Promise<number> {
  const { status, version } = await ask(...request);
  expect(status).toBe(200);
  return version;
}

/** Milliseconds, on a machine that other tests share. */
export const RECOVERY_LIMIT = 30_000;

export function waitUntilConnected(instances: readonly Instance[]): Promise<void> {
  return waitUntil(
    () => instances.every(({ store }) => store.report().shared?.state === 'connected'),
    RECOVERY_LIMIT,
  );
}

const PATHS: readonly string[] = Array.from({ length: 12 }, (_, at) => `/${at}`);

/**
 * Requests pages of two gateways and writes to them, injects a fault meanwhile, and waits until both use Redis again.
 * A read that begins after the response to a write must show it, at both gateways.
 *
 * @returns what they have logged
 */
export async function expectFaultUnseen(
  name: string,
  start: () => Promise<Instance>,
  inject: () => Promise<unknown>,
): Promise<readonly string[]> {
  const instances = [await start(), await start()];
  const written = new Map<string, number>();
  const stale: string[] = [];
  let [requests, failed, hits, byPassed, longest] = [0, 0, 0, 0, 0];
  let isRunning = true;
  const count = async (...request: Parameters<typeof ask>): Promise<number> => {
    const { isHit, status, version } = await ask(...request);
    requests += 1;
    if (status !== 200) failed += 1;
    if (isHit) hits += 1;
    return version;
  };
  const reader = async (instance: Instance): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = PATHS[round % PATHS.length] ?? '';
      const least = written.get(path) ?? 0;
      const version = await count(instance, path);
      if (version < least) stale.push(`${path}: ${version} for ${least}`);
      await sleep(25);
    }
  };
  const writer = async (instance: Instance, paths: readonly string[]): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = paths[round % paths.length] ?? '';
      written.set(path, await count(instance, path, 'POST'));
      await sleep(60);
    }
  };
  /** Counts the milliseconds in which at least one gateway uses nothing stored. */
  const watcher = async (): Promise<void> => {
    let [last, current] = [performance.now(), 0];
    while (isRunning) {
      await sleep(5);
      const now = performance.now();
      const isByPassed = instances.some(({ store }) => store.report().shared?.state !== 'connected');
      current = isByPassed ? current + now - last : 0;
      byPassed += isByPassed ? now - last : 0;
      longest = Math.max(longest, current);
      last = now;
    }
  };
  const load = Promise.all([
    ...[...instances, ...instances].map(reader),
    ...instances.map((instance, at) => writer(instance, at === 0 ? PATHS.slice(0, 4) : PATHS.slice(4, 8))),
    watcher(),
  ]);
  await waitUntil(() => hits > 50);
  byPassed = 0;
  await inject();
  await waitUntilConnected(instances);
  const before = hits;
  await waitUntil(() => hits > before + 50, RECOVERY_LIMIT);
  isRunning = false;
  await load;
  console.info(name, { requests, hits, byPassed: Math.round(byPassed), longest: Math.round(longest) });
  expect({ failed, stale }).toEqual({ failed: 0, stale: [] });
  return instances.flatMap(({ logged }) => logged);
}
