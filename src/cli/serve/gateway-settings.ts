import { randomUUID } from 'node:crypto';
import { readUserFile } from '../../builtin-modules.ts';
import type { CacheStore } from '../../cache/store.ts';
import { createCacheStore, type OpenCacheStore } from '../../cache/stores/create-store.ts';
import type { RedisStoreOptions } from '../../cache/stores/redis/connection.ts';
import { locateStore } from '../../config/config.ts';
import type { Config, SiteConfig } from '../../config/option-types.ts';
import { readStructuredFile } from '../../config/structured-file.ts';
import { settleAll } from '../../errors.ts';
import { type GatewayOptions, type Log, type SiteOptions, systemClock } from '../../gateway/index.ts';
import { readCertificate } from '../../node/certificates.ts';
import {
  connectRedisCounts,
  nodeDecode,
  nodeEncoders,
  nodeHash,
  nodeTransport,
  type RedisCounts,
  type ServeOptions,
  type SharedCounts,
  stateFolder,
} from '../../node/index.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { parseCredentials, readCertificates } from '../flags.ts';
import { readBuild } from '../version.ts';
import type { ServeLogs } from './log.ts';

export function createGatewayOptions(
  config: Config,
  sites: readonly SiteOptions[],
  cache: 'off' | CacheStore,
  sharedCounts: SharedCounts | undefined,
  log: Log,
  listLogLines?: () => readonly string[],
): GatewayOptions {
  return {
    cache,
    encoders: nodeEncoders(),
    decode: nodeDecode,
    transport: nodeTransport,
    notify: config.notify,
    maxEntryBytes: config.cache.maxEntryBytes,
    bodyMemory: { total: config.bodies.memory, perClient: config.bodies.memoryPerClient },
    sites,
    trust: config.trust,
    limits: config.limits,
    access: config.access,
    hashCredential: nodeHash,
    sharedCounts,
    version: readBuild().version,
    log,
    admin: {
      elsewhere: config.admin.port !== undefined,
      token: config.admin.token,
      alerts: config.admin.alerts,
      listLogLines,
    },
    state: config.state === undefined ? undefined : stateFolder(config.state),
    publicUrl: config.publicUrl,
    hosts: config.hosts,
  };
}

/** @param socket that a supervisor has passed */
export function createServeOptions(
  config: Config,
  logs: ServeLogs,
  socket: number | undefined,
): ServeOptions {
  const { log, logAccess } = logs;
  const { port, host, shutdownDelay, shutdownGrace, admin, tls } = config;
  return {
    port,
    host,
    shutdownDelay,
    shutdownGrace,
    idleGrace: config.idleGrace,
    maxConnections: config.maxConnections,
    socket,
    bodyRate: { bytesPerSecond: config.bodies.minRate, period: config.bodies.ratePeriod },
    log,
    access: logAccess,
    ...(tls === undefined ? {} : { tls }),
    ...(admin.port === undefined ? {} : { admin: { port: admin.port, host: admin.host } }),
  };
}

export async function openStore(
  config: Config,
  log: ServeLogs['log'],
  onReply?: RedisStoreOptions['onReply'],
): Promise<'off' | OpenCacheStore> {
  const { maxBytes, maxEntryBytes, redisAway } = config.cache;
  const location = locateStore(config);
  if (location === 'off') return 'off';
  const memory = { maxBytes, maxEntryBytes };
  const redis = omitUndefined({ maxAway: redisAway, onReply });
  return createCacheStore(location, { memory, redis, clock: systemClock, log, generateId: randomUUID });
}

/** Rate limits add up over the gateways that share Redis. */
export async function openSharedCounts(config: Config): Promise<RedisCounts | undefined> {
  const { limits, redis = locateStore(config), sites } = config;
  const isLimited = [limits, ...sites.map((site) => site.limits)].some(
    ({ client, credential, rules = [] }) =>
      client !== undefined || credential !== undefined || rules.length > 0,
  );
  return isLimited && redis !== 'off' && redis !== 'memory' ? connectRedisCounts(redis) : undefined;
}

/**
 * Reads the options of all sites, with the files that they and `tls` name, so that a person sees all problems
 * at once.
 */
export async function readSites({ sites, tls }: Config): Promise<readonly SiteOptions[]> {
  const [read] = await settleAll([
    settleAll(sites.map(readSite)),
    tls === undefined ? null : readCertificate(tls),
  ]);
  return read;
}

const toCredentials = (text: string | undefined) => (text === undefined ? undefined : parseCredentials(text));

/** @param at its position, for messages */
export async function readSite(site: SiteConfig, at: number): Promise<SiteOptions> {
  const { auth, cache, exclude, headers, include, schemas, ...options } = site;
  const { auth: upstreamAuth, ca: caPath, ...upstream } = site.upstream;
  const readFile = (path: string | undefined, name: string): Promise<unknown> | undefined =>
    path === undefined ? undefined : readStructuredFile(path, `sites[${at}].${name}`);
  const pages = Object.entries(site.errorPages);
  const [ca, document, overlay, texts] = await settleAll([
    caPath && readCertificates(caPath, `sites[${at}].upstream.ca`),
    readFile(site.document, 'document'),
    readFile(site.overlay, 'overlay'),
    settleAll(pages.map(async ([name, path]) => readUserFile(path, `sites[${at}].errorPages.${name}`))),
  ]);
  return {
    ...options,
    cache: cache.enabled === false ? 'off' : cache,
    upstream: { ...upstream, auth: toCredentials(upstreamAuth), ca },
    discover: { include, exclude, headers, schemas, auth: toCredentials(auth) },
    document,
    overlay,
    errorPages: Object.fromEntries(pages.map(([name], index) => [name, texts[index] ?? ''])),
  };
}
