import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type CacheStoreOptions,
  createCacheStore,
  type OpenCacheStore,
} from '../../../src/cache/stores/create-store.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { startNodeGateway } from '../../support/gateway.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

/** Gateways that share a real Redis, in front of a site that counts its writes. They stop after the test. */
export interface Instance {
  readonly url: string;
  readonly store: OpenCacheStore;
  readonly logged: string[];
}

interface VersionedSite {
  readonly url: string;
  /** Requests for each path. */
  readonly reads: Map<string, number>;
  readonly writes: Map<string, number>;
}

/** A site whose responses are the number of writes to their path, and fresh for a minute. */
export async function startVersionedSite(padding = '', readTime = 3): Promise<VersionedSite> {
  const [reads, writes] = [new Map<string, number>(), new Map<string, number>()];
  const { close, origin } = await startServer(async (request, response) => {
    request.resume();
    const path = request.url ?? '';
    const isWrite = request.method === 'POST';
    const counts = isWrite ? writes : reads;
    const writeTime = path.startsWith('/slow') ? 40 : 0;
    if (isWrite) await sleep(writeTime);
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const version = writes.get(path) ?? 0;
    // The response is older than its arrival.
    await sleep(isWrite ? writeTime : readTime);
    response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`${version} ${padding}`);
  });
  closeAfterTest(close);
  return { url: origin, reads, writes };
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
  const { origin, stop } = await startNodeGateway({
    sites: [{ url: siteUrl, discovery: 'off', passthrough: true, breaker: false }],
    cache: store,
    // As behind a load balancer: responses contain the same public URL.
    publicUrl: 'http://gateway.example.com',
    admin: { token: 'token' },
  });
  closeAfterTest(stop);
  return { url: origin, store, logged };
}

interface Answer {
  readonly status: number;
  /** The number of writes that the response shows. */
  readonly version: number;
  readonly isHit: boolean;
}

export async function ask(url: string, path: string, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
  const response = await fetch(url + path, { method });
  const version = Number.parseInt(await response.text(), 10);
  return { status: response.status, version, isHit: /hit/.test(response.headers.get('cache-status') ?? '') };
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
 * Requests pages of gateways and writes to some of them, injects a fault meanwhile, and goes on until all serve stored responses again.
 * A read that begins after the response to a write must show it, at each gateway.
 *
 * @param victims gateways whose requests can fail, because they are killed
 */
export async function expectFaultUnseen(
  name: string,
  urls: readonly string[],
  inject: () => Promise<unknown>,
  victims: readonly string[] = [],
): Promise<void> {
  const written = new Map<string, number>();
  const stale: string[] = [];
  const failed: string[] = [];
  const hits = new Map<string, number>();
  let [requests, longest, isRunning] = [0, 0, true];
  const count = async (
    url: string,
    ...rest: [path: string, method?: 'POST']
  ): Promise<number | undefined> => {
    requests += 1;
    const start = performance.now();
    const { isHit, status, version } = await ask(url, ...rest).catch((cause: unknown) => ({
      ...{ isHit: false, version: 0, status: String(cause) },
    }));
    longest = Math.max(longest, performance.now() - start);
    if (isHit) hits.set(url, (hits.get(url) ?? 0) + 1);
    if (status === 200) return version;
    if (!victims.includes(url)) failed.push(`${url} ${rest.join(' ')}: ${status}`);
    await sleep(50);
    return undefined;
  };
  const reader = async (url: string): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = PATHS[round % PATHS.length] ?? '';
      const least = written.get(path) ?? 0;
      const version = await count(url, path);
      if (version !== undefined && version < least) stale.push(`${url}${path}: ${version} for ${least}`);
      await sleep(20);
    }
  };
  const writer = async (url: string, paths: readonly string[]): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = paths[round % paths.length] ?? '';
      const version = await count(url, path, 'POST');
      if (version !== undefined) written.set(path, version);
      await sleep(60);
    }
  };
  const areServing = (): Promise<void> => {
    const before = new Map(hits);
    const healthy = urls.filter((url) => !victims.includes(url));
    return waitUntil(
      () => healthy.every((url) => (hits.get(url) ?? 0) > (before.get(url) ?? 0) + 20),
      RECOVERY_LIMIT,
    );
  };
  const load = Promise.all([
    ...[...urls, ...urls].map(reader),
    ...urls.map((url, at) => writer(url, PATHS.slice(at * 2, at * 2 + 2))),
  ]);
  await areServing();
  await inject();
  await areServing();
  isRunning = false;
  await load;
  console.info(name, { requests, hits: [...hits.values()], longest: Math.round(longest) });
  expect({ failed, stale }).toEqual({ failed: [], stale: [] });
}
