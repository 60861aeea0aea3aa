import { randomUUID } from 'node:crypto';
import type { Config, SiteConfig } from '../../../generated/option-types.d.ts';
import type { CacheStore } from '../../cache/store.ts';
import { createCacheStore } from '../../cache/stores/create-store.ts';
import type { RedisTierOptions } from '../../cache/stores/redis/connection.ts';
import { locateStore } from '../../config/config.ts';
import { readStructuredFile } from '../../config/structured-file.ts';
import { withoutCredentials } from '../../discovery/redact.ts';
import { type ConfigurationError, settleAll } from '../../errors.ts';
import { getGatewayInternals } from '../../gateway/gateway.ts';
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type Log,
  type SiteOptions,
  silentLog,
  systemClock,
} from '../../gateway/index.ts';
import type { Reporter, StatusSources } from '../../gateway/process-status.ts';
import { PINNED } from '../../gateway/snapshot/discover-snapshot.ts';
import { Certificates } from '../../node/certificates.ts';
import {
  connectRedisCounts,
  type ListeningSockets,
  nodeDecode,
  nodeEncoders,
  nodeHash,
  nodeTransport,
  type RedisCounts,
  type RunningServer,
  type ServeOptions,
  type SharedCounts,
  serve,
  stateFolder,
  type TlsOptions,
} from '../../node/index.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { parseCredentials, readCertificates } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { optimizeAsUsual } from '../optimization.ts';
import { waitForStopSignal } from '../signals.ts';
import { readBuild } from '../version.ts';
import { readActivatedSockets } from './activated-sockets.ts';
import type { ServeLogs } from './log.ts';
import { notifyServiceManager } from './service-manager.ts';
import { describeStart } from './start-message.ts';

/**
 * Serves until SIGTERM or SIGINT and resolves when everything is closed. A second signal exits at once. A person at a terminal is
 * told what is on.
 */
export async function runGatewayUntilSignal(
  config: Config,
  logs: ServeLogs,
  io: CommandIo,
): Promise<ExitCode> {
  let figures: StatusSources | undefined;
  const cache = await openStore(config, logs.log, {
    onReply: (milliseconds) => figures?.measured.measure(REDIS_DURATIONS, milliseconds),
  });
  const sharedCounts = await openSharedCounts(config);
  const loop = createLoopSignal(config);
  try {
    const sites = await readSites(config);
    const options = createGatewayOptions(config, sites, cache, sharedCounts, logs.log);
    const gateway = createGateway({ ...options, onLoop: loop.onLoop });
    ({ figures } = getGatewayInternals(gateway));
    figures.reporters.add(createReporter(logs));
    const sockets = readActivatedSockets(io.env, process.pid);
    const server = await serve(gateway, createServeOptions(config, logs, sockets));
    // Resolves with the first discovery, which is running.
    const discovered = gateway.rediscover().then(optimizeAsUsual);
    return await waitUntilStopped(config, logs, io, { ...server, gateway, discovered }, loop.looped);
  } finally {
    // An open connection to a shared store would keep the process running.
    sharedCounts?.close();
    if (cache !== 'off') await cache.close();
  }
}

/** Name of the histogram of replies of Redis. */
export const REDIS_DURATIONS = 'waygate_redis_command_duration_seconds';

/** Reports what only the command knows. */
export function createReporter({ countLost }: ServeLogs): Reporter {
  const { commit, version } = readBuild();
  const build = `waygate_build_info{version="${version}",commit="${commit}",runtime="Node ${process.versions.node}"}`;
  return () => [
    [build, 1],
    ['waygate_log_lost_lines_total', countLost()],
  ];
}

/** A gateway that listens. */
interface RunningGateway extends RunningServer {
  readonly gateway: Gateway;
  /** Resolves with the first discovery. */
  readonly discovered: Promise<unknown>;
  /** Number of workers, if there are any. */
  readonly workers?: number;
}

/** Runs a gateway until a signal arrives, or until it is found that it leads to itself. */
export async function waitUntilStopped(
  config: Config,
  { log }: ServeLogs,
  { env, isInteractive, writeErr }: CommandIo,
  { adminUrl, cutOff, discovered, gateway, redirectUrl, stop, url, workers }: RunningGateway,
  looped: Promise<ConfigurationError>,
): Promise<ExitCode> {
  log.info(
    {
      url,
      admin: adminUrl,
      redirect: redirectUrl,
      workers,
      sites: config.sites.map(({ name, url: site }) => ({
        name,
        url: withoutCredentials(new URL(site).href),
      })),
    },
    'listening',
  );
  if (isInteractive) writeErr(describeStart(config, url, adminUrl));

  const notifyStop = notifyServiceManager(env, log, discovered);
  const rediscover = (): void => void gateway.rediscover();
  process.on('SIGHUP', rediscover);
  const signal = await Promise.race([
    waitForStopSignal(async () =>
      log.warn({ requests: await cutOff() }, 'requests were cut off: a second signal'),
    ),
    looped,
  ]);
  process.off('SIGHUP', rediscover);
  if (typeof signal === 'string') log.info({ signal }, 'stopping');
  else log.error({ err: signal }, 'stopping');
  log.flush();
  notifyStop();
  await stop();
  if (typeof signal === 'object') throw signal;
  log.info({}, 'stopped');
  return 0;
}

/**
 * A site whose URL leads back to the gateway ends it. With several sites, only requests for this one are refused: a site that
 * sends what it has received from the gateway back must not stop the others.
 */
export function createLoopSignal({ sites }: Config): {
  readonly looped: Promise<ConfigurationError>;
  readonly onLoop: (error: ConfigurationError) => void;
} {
  let onLoop = (_: ConfigurationError): void => {};
  const looped = new Promise<ConfigurationError>((resolve) => {
    if (sites.length === 1) onLoop = resolve;
  });
  return { looped, onLoop };
}

/** Creates the options of the gateway of a process. */
export function createGatewayOptions(
  config: Config,
  sites: readonly SiteOptions[],
  cache: 'off' | CacheStore,
  sharedCounts: SharedCounts | undefined,
  log: Log,
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
    log,
    admin: { elsewhere: config.admin.port !== undefined, token: config.admin.token },
    state: config.state === undefined ? undefined : stateFolder(config.state),
    publicUrl: config.publicUrl,
    hosts: config.hosts,
  };
}

/** Creates the options of the server of a process. @param sockets that a supervisor has passed */
export function createServeOptions(
  config: Config,
  { log, logAccess }: ServeLogs,
  sockets: ListeningSockets,
): ServeOptions {
  const { port, host, shutdownDelay, shutdownGrace, admin, tls } = config;
  return {
    port,
    host,
    shutdownDelay,
    shutdownGrace,
    idleGrace: config.idleGrace,
    reusePort: config.reusePort,
    sockets,
    bodyRate: { bytesPerSecond: config.bodies.minRate, period: config.bodies.ratePeriod },
    log,
    access: logAccess,
    ...(tls === undefined ? {} : { tls: toTlsOptions(tls) }),
    ...(admin.port === undefined ? {} : { admin: { port: admin.port, host: admin.host } }),
  };
}

export function toTlsOptions(tls: NonNullable<Config['tls']>): TlsOptions {
  const entries = Array.isArray(tls) ? tls : [tls];
  return {
    certificates: entries.map(({ cert, key }) => ({ cert, key })),
    redirectFrom: entries.find(({ redirectFrom }) => redirectFrom !== undefined)?.redirectFrom,
    hsts: entries.find(({ hsts }) => hsts !== undefined)?.hsts,
  };
}

/** Opens the store that a configuration names. */
export async function openStore(
  config: Config,
  log: ServeLogs['log'],
  { gatewayId, onReply }: Pick<RedisTierOptions, 'gatewayId' | 'onReply'> = {},
): Promise<'off' | CacheStore> {
  const { maxBytes, maxEntryBytes, redisAway } = config.cache;
  const location = locateStore(config);
  if (location === 'off') return 'off';
  const memory = { maxBytes, maxEntryBytes };
  const redis = omitUndefined({ maxAway: redisAway, gatewayId, onReply });
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

/** Reads the options of all sites, with the files that they name. Those of `tls` are read too: a person sees all problems at once. */
export async function readSites({ sites, tls }: Config): Promise<readonly SiteOptions[]> {
  const [read] = await settleAll([
    settleAll(sites.map(readSite)),
    tls === undefined ? null : Certificates.read(toTlsOptions(tls).certificates, silentLog),
  ]);
  return read;
}

const toCredentials = (text: string | undefined) => (text === undefined ? undefined : parseCredentials(text));

/** Reads the options of one site. @param at its position, for messages */
export async function readSite(site: SiteConfig, at: number): Promise<SiteOptions> {
  const { auth, cache, exclude, headers, include, schemas, ...options } = site;
  const { auth: upstreamAuth, ca: caPath, ...upstream } = site.upstream;
  const readFile = (path: string | undefined, name: string): Promise<unknown> | undefined =>
    path === undefined ? undefined : readStructuredFile(path, `sites[${at}].${name}`);
  const [ca, document, overlay] = await settleAll([
    caPath && readCertificates(caPath, `sites[${at}].upstream.ca`),
    site.document === PINNED ? PINNED : readFile(site.document, 'document'),
    readFile(site.overlay, 'overlay'),
  ]);
  return {
    ...options,
    cache: cache.enabled ? cache : 'off',
    upstream: { ...upstream, auth: toCredentials(upstreamAuth), ca },
    discover: { include, exclude, headers, schemas, auth: toCredentials(auth) },
    document,
    overlay,
  };
}
