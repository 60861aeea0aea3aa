import { Hono } from 'hono';
import { attemptEach, ConfigurationError, createProblemsError, settleAll } from '../../base/errors.ts';
import { parseCredentials } from '../../base/http/basic-credentials.ts';
import type { Config, SiteConfig } from '../../base/option-types.ts';
import { type Log, systemClock } from '../../base/ports.ts';
import { readUserFile } from '../../base/read-file.ts';
import type { CacheStore } from '../../gateway/cache/store.ts';
import { MemoryStore } from '../../gateway/cache/stores/memory-store.ts';
import type { RedisStore } from '../../gateway/cache/stores/redis/redis-store.ts';
import type { GatewayOptions, SiteOptions } from '../../gateway/index.ts';
import { stateFolder } from '../../gateway/node/state-folder.ts';
import { locateStore, readConfig } from './settings.ts';
import { readStructuredFile } from './structured-file.ts';

export function createGatewayOptions(
  config: Config,
  sites: readonly SiteOptions[],
  cache: 'off' | CacheStore,
  log: Log,
): GatewayOptions {
  return {
    ...config,
    ...{ cache, sites, log },
    idleGrace: IDLE_GRACE,
    state: config.state === undefined ? undefined : stateFolder(config.state),
  };
}

/** Milliseconds for requests that are on their way when the server stops. */
const IDLE_GRACE = 1_000;

export async function openStore(config: Config, log: Log): Promise<'off' | MemoryStore | RedisStore> {
  const location = locateStore(config);
  if (location === 'off') return 'off';
  const clock = systemClock;
  const memory = new MemoryStore({ maxBytes: config.cache.maxBytes, clock });
  if (location === 'memory') return memory;
  const { RedisStore } = await import('../../gateway/cache/stores/redis/redis-store.ts');
  const store = new RedisStore({ servers: location, clock, log }, memory);
  await store.open();
  return store;
}

/** Reads the files of Redis, too, to report all problems at once. */
export async function readSites(config: Config): Promise<readonly SiteOptions[]> {
  const [sites] = await settleAll([settleAll(config.sites.map(readSite)), checkRedisFiles(config)]);
  return sites;
}

export async function checkRedisFiles({ redis }: Config): Promise<void> {
  if (typeof redis !== 'object') return;
  attemptEach(['ca', 'cert', 'key', 'passwordFile'] as const, (name) => {
    const path = redis[name];
    if (path !== undefined)
      (name === 'ca' || name === 'cert' ? checkCertificates : readUserFile)(path, `redis.${name}`);
  });
}

/** Reads the sites' files, too, if a setting is wrong: one run tells all problems. @throws {ConfigurationError} */
export async function requireConfig(...settings: Parameters<typeof readConfig>): Promise<Config> {
  const read = readConfig(...settings);
  if (read.ok) return read.config;
  const refusal = Promise.reject<Config>(createProblemsError(read.errors));
  const [config] = await settleAll([refusal, read.readable && readSites(read.readable)]);
  return config;
}

function checkCertificates(path: string, setting: string): void {
  if (readUserFile(path, setting).includes('-----BEGIN CERTIFICATE-----')) return;
  throw new ConfigurationError(`${setting} ${path}: the file contains no certificate in PEM`);
}

const toCredentials = (text: string | undefined) => (text === undefined ? undefined : parseCredentials(text));

const CONNECT_TIMEOUT = 10_000;

export async function readSite(site: SiteConfig, at: number): Promise<SiteOptions> {
  const { auth, concurrency, exclude, include, namespaces, options: asksRoutes, timeout, ...options } = site;
  const { auth: upstreamAuth, ...upstream } = site.upstream;
  const readFile = (path: string | undefined, name: string): Promise<unknown> | undefined =>
    path === undefined ? undefined : readStructuredFile(path, `sites[${at}].${name}`);
  const { ca } = upstream;
  const [document, overlay] = await settleAll([
    readFile(site.document, 'document'),
    readFile(site.overlay, 'overlay'),
    ca && checkCertificates(ca, `sites[${at}].upstream.ca`),
  ]);
  return {
    ...options,
    concurrency: { max: concurrency },
    timeouts: { connect: CONNECT_TIMEOUT, headers: timeout, body: timeout },
    upstream: { ...upstream, auth: toCredentials(upstreamAuth) },
    discover: { include, exclude, namespaces, options: asksRoutes, auth: toCredentials(auth) },
    document,
    overlay,
  };
}

export async function createOuterApp(addTo: (app: Hono) => unknown): Promise<Hono> {
  const app = new Hono();
  await addTo(app);
  return app;
}
