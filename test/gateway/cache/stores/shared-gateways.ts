import { setInterval as every } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RedisOptions } from '../../../../src/base/option-types.ts';
import { silentLog, systemClock } from '../../../../src/base/ports.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import type { RedisStoreOptions } from '../../../../src/gateway/cache/stores/redis/connection.ts';
import { RedisStore } from '../../../../src/gateway/cache/stores/redis/redis-store.ts';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { startGateway } from '../../../support/gateway.ts';
import { PLAIN } from '../../../support/run.ts';
import { startServer } from '../../../support/server.ts';
import { waitUntil } from '../../../support/wait.ts';

/** Gateways that share a real Redis, in front of a site that counts its writes. They stop after the test. */
export interface Instance {
  readonly url: string;
  readonly store: RedisStore;
  readonly logged: string[];
}

interface VersionedSite {
  readonly url: string;
  readonly reads: Map<string, number>;
  readonly writes: Map<string, number>;
}

/** A site whose responses are the number of writes to their path, and fresh for a minute. */
export async function startVersionedSite(padding = '', readTime = 3): Promise<VersionedSite> {
  const [reads, writes] = [new Map<string, number>(), new Map<string, number>()];
  const { close, origin } = await startServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    const isWrite = request.method === 'POST';
    const writeTime = path.startsWith('/slow') ? 40 : 0;
    const respond = (): void => {
      const counts = isWrite ? writes : reads;
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const text = `${writes.get(path) ?? 0} ${padding}`;
      const send = () => response.writeHead(200, { 'cache-control': 'max-age=60' }).end(text);
      // The response is older than its arrival.
      setTimeout(send, isWrite ? writeTime : readTime);
    };
    if (isWrite) setTimeout(respond, writeTime);
    else respond();
  });
  closeAfterTest(close);
  return { url: origin, reads, writes };
}

export function createRedisStore(
  location: string | RedisOptions,
  options: Partial<RedisStoreOptions> = {},
): RedisStore {
  const { clock = systemClock, log = silentLog } = options;
  const servers = typeof location === 'string' ? { url: location } : location;
  return new RedisStore({ ...options, servers, clock, log }, new MemoryStore({ clock }));
}

/** Opens a store, which is closed after the test. */
export async function openRedisStore(...given: Parameters<typeof createRedisStore>): Promise<RedisStore> {
  const store = createRedisStore(...given);
  closeAfterTest(() => store.close());
  await store.open();
  return store;
}

export function openLoggedStore(location: string | RedisOptions, logged: string[]): Promise<RedisStore> {
  const write = (facts: object, message: string): void =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  return openRedisStore(location, { log: { info: write, warn: write, error: write } });
}

export async function startInstance(siteUrl: string, location: string | RedisOptions): Promise<Instance> {
  const logged: string[] = [];
  const store = await openLoggedStore(location, logged);
  // As behind a load balancer: responses contain the same public URL.
  const gateway = { cache: store, publicUrl: 'http://gateway.example.com' };
  const { origin } = await startGateway({ ...PLAIN, url: siteUrl, gateway });
  return { url: origin, store, logged };
}

/** Starts gateways before a site, and runs a fault while they serve. @returns what they have logged */
export async function runFault(
  name: string,
  start: () => Promise<Instance>,
  inject: (served: Served) => Promise<unknown>,
): Promise<readonly string[]> {
  const instances = await Promise.all([start(), start()]);
  const urls = instances.map(({ url }) => url);
  await expectFaultUnseen(name, urls, inject);
  await waitUntilConnected(instances);
  return instances.flatMap(({ logged }) => logged);
}

interface Answer {
  readonly status: number;
  /** The number of writes that the response shows. */
  readonly version: number;
  readonly cacheStatus: string;
}

export async function ask(url: string, path: string, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
  const response = await fetch(url + path, { method });
  const version = Number.parseInt(await response.text(), 10);
  return { status: response.status, version, cacheStatus: response.headers.get('cache-status') ?? '' };
}

export async function askVersion(...request: Parameters<typeof ask>): Promise<number> {
  const { status, version } = await ask(...request);
  expect(status).toBe(200);
  return version;
}

/** Milliseconds, on a machine that other tests share. */
const RECOVERY_LIMIT = 120_000;

export function waitUntilConnected(instances: readonly Instance[]): Promise<void> {
  return waitUntil(
    // After it was full, Redis counts as full until a response could be stored again.
    () => instances.every(({ store }) => /^(?:connected|full)$/.test(store.report().shared?.state ?? '')),
    RECOVERY_LIMIT,
  );
}

/** On a busy machine the site, which runs in this process, can be silent for 3 s. Then responses that await confirmation are served. */
const SITE_IS_SILENT = /"unreachable timeout, unconfirmed"/;

const PATHS: readonly string[] = Array.from({ length: 12 }, (_, at) => `/${at}`);

/** Waits until each gateway that is no victim, and isn't stopped now, has answered that many more requests. */
export type Served = (count: number, stopped?: string) => Promise<void>;

/**
 * Requests pages of gateways and writes to some of them, injects a fault meanwhile, and goes on until all serve stored responses again.
 * A read that begins after the response to a write must show it, at each gateway.
 *
 * @param inject begins and ends the fault, with requests between
 * @param victims gateways whose requests can fail, because they are killed
 */
export async function expectFaultUnseen(
  name: string,
  urls: readonly string[],
  inject: (served: Served) => Promise<unknown>,
  victims: readonly string[] = [],
): Promise<void> {
  const written = new Map<string, number>();
  const stale: string[] = [];
  const failed: string[] = [];
  const hits = new Map<string, number>();
  const answers = new Map<string, number>();
  let [requests, longest, isRunning] = [0, 0, true];
  const count = async (
    url: string,
    ...rest: [path: string, method?: 'POST']
  ): Promise<Pick<Answer, 'cacheStatus' | 'version'> | undefined> => {
    requests += 1;
    const start = performance.now();
    const { cacheStatus, status, version } = await ask(url, ...rest).catch((cause: unknown) => ({
      ...{ cacheStatus: '', version: 0, status: String(cause) },
    }));
    longest = Math.max(longest, performance.now() - start);
    answers.set(url, (answers.get(url) ?? 0) + 1);
    if (cacheStatus.includes('; hit')) hits.set(url, (hits.get(url) ?? 0) + 1);
    if (status === 200) return { cacheStatus, version };
    if (!victims.includes(url)) failed.push(`${url} ${rest.join(' ')}: ${status}`);
    return undefined;
  };
  const reader = async (url: string): Promise<void> => {
    let round = 0;
    for await (const _ of every(20)) {
      if (!isRunning) return;
      const path = PATHS[round++ % PATHS.length] ?? '';
      const least = written.get(path) ?? 0;
      const read = await count(url, path);
      if (read !== undefined && read.version < least && !SITE_IS_SILENT.test(read.cacheStatus))
        stale.push(`${url}${path}: ${read.version} for ${least}, ${read.cacheStatus}`);
    }
  };
  const writer = async (url: string, paths: readonly string[]): Promise<void> => {
    let round = 0;
    for await (const _ of every(60)) {
      if (!isRunning) return;
      const path = paths[round++ % paths.length] ?? '';
      const answer = await count(url, path, 'POST');
      if (answer !== undefined) written.set(path, answer.version);
    }
  };
  const healthy = urls.filter((url) => !victims.includes(url));
  const haveMore = (counts: ReadonlyMap<string, number>, more: number, stopped?: string): Promise<void> => {
    const before = new Map(counts);
    const isServed = (url: string): boolean => (counts.get(url) ?? 0) >= (before.get(url) ?? 0) + more;
    return waitUntil(() => healthy.every((url) => url === stopped || isServed(url)), RECOVERY_LIMIT);
  };
  const areServing = (): Promise<void> => haveMore(hits, 20);
  const load = Promise.all([
    ...[...urls, ...urls].map(reader),
    ...urls.map((url, at) => writer(url, PATHS.slice(at * 2, at * 2 + 2))),
  ]);
  await areServing();
  await inject((more, stopped) => haveMore(answers, more, stopped));
  await areServing();
  isRunning = false;
  await load;
  console.info(name, { requests, hits: [...hits.values()], longest: Math.round(longest) });
  expect({ failed, stale }).toEqual({ failed: [], stale: [] });
}
