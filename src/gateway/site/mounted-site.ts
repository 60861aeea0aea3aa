import type { HttpCache } from '../../cache/cache.ts';
import { withoutCredentials } from '../../discovery/redact.ts';
import { decodeWithWebStreams } from '../../http/content-decoding.ts';
import { DEFAULT_UPSTREAM_TIMEOUTS } from '../../http/exchange.ts';
import { type Clock, type Log, silentLog, systemClock } from '../../ports.ts';
import { createCircuitBreaker, DEFAULT_CIRCUIT_BREAKER } from '../../upstream/circuit-breaker.ts';
import { createCircuitBreakerGuard, type SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import type { ProxyTrust } from '../../upstream/trusted-proxies.ts';
import { createChangePoller } from '../caching/change-poller.ts';
import { createSiteCaching, type SiteCaching } from '../caching/site-caching.ts';
import { packagedDocs } from '../local/docs.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { mountPath, publicPath } from '../options/mount-path.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createSiteRuntime, type SiteRuntime } from '../snapshot/site-runtime.ts';
import { createInitialSnapshot, createSnapshotReader } from '../snapshot/snapshot-reader.ts';
import { createPersistenceFactory } from '../validating/evidence-persistence.ts';
import { createSiteValidation, type SiteValidation } from '../validating/site-validation.ts';
import { createForwardPlanner } from './forward-planner.ts';
import { createSitePlanner, type SitePlanner } from './site-planner.ts';

/** One site of the gateway. */
export interface MountedSite {
  /** `/content`, or empty. */
  readonly mount: string;
  /** URL of the site, without credentials. */
  readonly url: string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  /** `null` if nothing of the site is cached. */
  readonly caching: SiteCaching | null;
  /** Secret of the site's webhook; `undefined` if the webhook is closed. */
  readonly webhook: string | undefined;
  /** Starts discovery, polling, and the reading of persisted evidence. Idempotent. */
  start(): void;
  /** Discovers the site now. Never rejects: an error is logged, and the last good snapshot stays in use. */
  rediscover(): Promise<void>;
  /** Stops all background work. Resolves when the evidence is persisted. */
  stop(): Promise<void>;
  /** Plans a request whose target is below this mount. */
  readonly plan: SitePlanner;
}

/** What all sites of a gateway share. */
export interface SiteDependencies {
  readonly gateway: GatewayOptions;
  readonly trust: ProxyTrust;
  readonly cache: HttpCache | null;
}

/** @throws {ConfigurationError} when the site's name, stored document or overlay is invalid */
export function mountSite(options: SiteOptions, dependencies: SiteDependencies): MountedSite {
  const { gateway, trust } = dependencies;
  const { log = silentLog, clock = systemClock, random = Math.random } = gateway;
  const mount = mountPath(options);
  const url = withoutCredentials(options.url);
  const site: SiteIdentity = { mount, url, name: mount === '' ? url : mount, log, clock, random };
  const runtime = createSiteRuntime({
    read: createSnapshotReader(options, gateway),
    initial: createInitialSnapshot(options, gateway),
    interval: options.rediscover,
    clock,
    random,
    log,
    name: site.name,
  });
  const validation = createValidation(options, gateway, site);
  const caching = createCaching(options, dependencies.cache);
  const poller = createPoller(options, { ...site, runtime, caching, fetch: gateway.fetch });
  const planForward = createForwardPlanner({
    mount,
    trust,
    publicUrl: gateway.publicUrl,
    rewriteBodies: options.rewriteBodies ?? false,
    timeouts: options.timeouts ?? DEFAULT_UPSTREAM_TIMEOUTS,
    caching,
    guard: createBreakerGuard(options, clock, caching !== null),
  });
  return {
    mount,
    url,
    runtime,
    validation,
    caching,
    webhook: options.cache === 'off' ? undefined : options.cache?.webhook,
    start() {
      runtime.start();
      void validation.load();
      poller?.start();
    },
    async rediscover() {
      await Promise.all([validation.load(), runtime.rediscover()]);
    },
    async stop() {
      runtime.stop();
      poller?.stop();
      await validation.stop();
    },
    plan: createSitePlanner({
      mount,
      publicPath: publicPath(gateway.publicUrl, mount),
      runtime,
      validation,
      planForward,
      docs: gateway.docs ?? packagedDocs,
      rejectsUnknownRoutes: options.unknownRoutes === 'refuse',
    }),
  };
}

interface SiteIdentity {
  readonly mount: string;
  readonly url: string;
  /** Name in the log. */
  readonly name: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
}

function createValidation(
  { unknownRoutes, validation }: SiteOptions,
  { decode, state }: GatewayOptions,
  { clock, log, mount, name, random, url }: SiteIdentity,
): SiteValidation {
  return createSiteValidation({
    options: validation ?? {},
    rejectsUnknownRoutes: unknownRoutes === 'refuse',
    learnsUnknownRoutes: unknownRoutes === undefined,
    site: name,
    log,
    clock,
    random,
    decode: decode ?? decodeWithWebStreams,
    createPersistence: createPersistenceFactory(state, { name: stateName(mount), site: url, clock, log }),
  });
}

/** Evidence is persisted by mount, which is unique in a gateway. */
function stateName(mount: string): string {
  return mount === '' ? 'validation' : `validation.${mount.slice(1)}`;
}

function createCaching(
  { cache: options = {}, rewriteBodies = false }: SiteOptions,
  cache: HttpCache | null,
): SiteCaching | null {
  return cache === null || options === 'off' ? null : createSiteCaching({ cache, options, rewriteBodies });
}

interface PollerDependencies extends SiteIdentity {
  readonly runtime: SiteRuntime;
  readonly caching: SiteCaching | null;
  readonly fetch: typeof globalThis.fetch | undefined;
}

function createPoller(
  { cache: options = {} }: SiteOptions,
  { caching, clock, fetch = globalThis.fetch, log, mount, name: site, runtime }: PollerDependencies,
): ReturnType<typeof createChangePoller> | null {
  const interval = options === 'off' ? undefined : options.watch;
  if (caching === null || interval === undefined) return null;
  return createChangePoller({ runtime, caching, mount, interval, fetch, clock, log, site });
}

/** The circuit breaker is on by default if the cache can respond in place of the site. */
function createBreakerGuard({ breaker }: SiteOptions, clock: Clock, isCached: boolean): SendGuard | null {
  if (!(breaker ?? isCached)) return null;
  const options =
    typeof breaker === 'object' ? { ...DEFAULT_CIRCUIT_BREAKER, ...breaker } : DEFAULT_CIRCUIT_BREAKER;
  return createCircuitBreakerGuard(createCircuitBreaker(options), clock.now);
}
