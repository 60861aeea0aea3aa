import type { HttpCache } from '../../cache/cache-request.ts';
import { withoutCredentials } from '../../discovery/redact.ts';
import { decodeWithWebStreams } from '../../http/content-decoding.ts';
import { DEFAULT_UPSTREAM_TIMEOUTS } from '../../http/exchange.ts';
import { type Clock, type Log, silentLog, systemClock } from '../../ports.ts';
import { SiteStates } from '../../state.ts';
import { DEFAULT_CIRCUIT_BREAKER } from '../../upstream/circuit-breaker.ts';
import { createCircuitBreakerGuard } from '../../upstream/circuit-breaker-guard.ts';
import { createSiteCircuits, type SiteCircuits } from '../../upstream/site-circuits.ts';
import type { TrustedProxyCheck } from '../../upstream/trusted-proxies.ts';
import { createChangePoller } from '../caching/change-poller.ts';
import { createSiteCaching, type SiteCaching } from '../caching/site-caching.ts';

import { createBaseUrlReader } from '../local/base-url.ts';
import { createPolicyDescriber } from '../local/operation-policies.ts';
import { createDocsServer, loadPackagedDocs } from '../local/serve-docs.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { toMountPath } from '../options/mount-path.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { createInitialSnapshot, createSnapshotDiscovery } from '../snapshot/discover-snapshot.ts';
import { createSiteRuntime, type SiteRuntime } from '../snapshot/site-runtime.ts';
import { createSiteUpstream } from '../snapshot/site-upstream.ts';
import type { OperationBudget } from '../traffic/operation-budget.ts';
import { createSiteRecorder, type SiteRecorder } from '../traffic/site-recorder.ts';
import { createSiteValidation, type SiteValidation } from '../validating/site-validation.ts';
import {
  createForwardPlanner,
  createPublicBaseLookup,
  type ForwardPlannerOptions,
} from './forward-planner.ts';
import { createRequestInspector, type RequestInspector } from './inspect-request.ts';
import { createSitePlanner, type SitePlanner } from './site-planner.ts';

/** One site of the gateway. */
export interface MountedSite {
  /** Mount path, such as `/content`; empty for the unnamed site. */
  readonly mount: string;
  /** URL of the site, without credentials. */
  readonly url: string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  /** `null` if nothing of the site is cached. */
  readonly caching: SiteCaching | null;
  /** Circuit breakers of the site; `null` if they are off. */
  readonly circuits: SiteCircuits | null;
  /** Traffic and problems of the last hours. */
  readonly recorder: SiteRecorder;
  /** Secret of the site's webhook; `undefined` if the webhook is closed. */
  readonly webhookSecret: string | undefined;
  /** Starts discovery, polling, and the reading of persisted evidence. Idempotent. */
  start(): void;
  /** Discovers the site now. Never rejects: an error is logged, and the last good snapshot stays in use. */
  rediscover(): Promise<void>;
  /** Stops all background work. Resolves when the evidence is persisted. */
  stop(): Promise<void>;
  /** Plans a request whose target is below this mount. */
  readonly planRequest: SitePlanner;
  /** Tells what {@link planRequest} and the cache would do with a read. */
  readonly inspectRequest: RequestInspector;
}

/** Objects that all sites of a gateway share. */
export interface SiteDependencies {
  readonly gatewayOptions: GatewayOptions;
  readonly trust: TrustedProxyCheck;
  readonly cache: HttpCache | null;
  readonly operationBudget: OperationBudget;
}

/** @throws {ConfigurationError} when the site's name, stored document or overlay is invalid */
export function mountSite(options: SiteOptions, dependencies: SiteDependencies): MountedSite {
  const { gatewayOptions, trust } = dependencies;
  const { log = silentLog, clock = systemClock, random = Math.random } = gatewayOptions;
  const mount = toMountPath(options);
  const url = withoutCredentials(options.url);
  const upstream = createSiteUpstream(options, gatewayOptions);
  // States are stored by mount, which is unique in a gateway.
  const states = new SiteStates(gatewayOptions.state, mount.slice(1), url, clock, log);
  const site: SiteContext = { mount, url, siteName: mount === '' ? url : mount, log, clock, random, states };
  const validation = createValidation(options, gatewayOptions, site);
  const discoverSnapshot = createSnapshotDiscovery(options, gatewayOptions, upstream);
  const runtime = createSiteRuntime({
    // A calibration that has ended since is used from here on.
    discoverSnapshot: async (signal) =>
      (await Promise.all([discoverSnapshot(signal), validation.loadCalibration()]))[0],
    initialSnapshot: createInitialSnapshot(options, gatewayOptions, upstream),
    rediscoveryInterval: options.rediscover,
    clock,
    random,
    log,
    siteName: site.siteName,
  });
  const caching = createCaching(options, dependencies.cache, site);
  const poller = createPoller(options, { ...site, runtime, caching, fetch: upstream.fetch });
  const recorder = createSiteRecorder(clock.now, dependencies.operationBudget);
  const circuits = createCircuits(options, caching !== null);
  const forwarding: ForwardPlannerOptions = {
    mount,
    trust,
    publicUrl: gatewayOptions.publicUrl,
    rewriteBodies: options.rewriteBodies ?? false,
    timeouts: options.timeouts ?? DEFAULT_UPSTREAM_TIMEOUTS,
    upstream,
    caching,
    recorder,
    circuitBreakerGuard: circuits === null ? null : createCircuitBreakerGuard(circuits, clock.now),
  };
  return {
    mount,
    url,
    runtime,
    validation,
    caching,
    circuits,
    recorder,
    webhookSecret: options.cache === 'off' ? undefined : options.cache?.webhook,
    start() {
      runtime.start();
      void validation.loadEvidence();
      void caching?.loadEvidence();
      poller?.start();
    },
    async rediscover() {
      await Promise.all([validation.loadEvidence(), caching?.loadEvidence(), runtime.rediscover()]);
    },
    async stop() {
      runtime.stop();
      poller?.stop();
      await Promise.all([validation.stop(), caching?.stop()]);
    },
    inspectRequest: createRequestInspector({
      forwarding,
      runtime,
      validation,
      getPublicBase: createPublicBaseLookup(gatewayOptions.publicUrl, mount),
    }),
    planRequest: createSitePlanner({
      mount,
      readBaseUrl: createBaseUrlReader(mount, gatewayOptions.publicUrl, trust),
      runtime,
      validation,
      recorder,
      planForward: createForwardPlanner(forwarding),
      docsServer: createDocsServer({
        loadDocs: gatewayOptions.docs ?? loadPackagedDocs,
        listVersions: () => runtime.history.versions,
        describePolicies: createPolicyDescriber(
          options,
          dependencies.cache !== null,
          validation.describeAgreement,
        ),
      }),
      rejectsUnknownRoutes: options.unknownRoutes === 'refuse',
    }),
  };
}

interface SiteContext {
  readonly mount: string;
  readonly url: string;
  /** Name in the log. */
  readonly siteName: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  readonly states: SiteStates;
}

function createValidation(
  { unknownRoutes, validation }: SiteOptions,
  { decode }: GatewayOptions,
  { clock, log, siteName, random, states }: SiteContext,
): SiteValidation {
  return createSiteValidation({
    validationOptions: validation ?? {},
    rejectsUnknownRoutes: unknownRoutes === 'refuse',
    learnsUnknownRoutes: unknownRoutes === undefined,
    siteName: siteName,
    log,
    clock,
    random,
    decode: decode ?? decodeWithWebStreams,
    states,
  });
}

function createCaching(
  { cache: cacheOptions = {}, rewriteBodies = false }: SiteOptions,
  cache: HttpCache | null,
  { clock, log, siteName, states }: SiteContext,
): SiteCaching | null {
  if (cache === null || cacheOptions === 'off') return null;
  return createSiteCaching({ cache, cacheOptions, rewriteBodies, clock, log, siteName, states });
}

interface PollerDependencies extends SiteContext {
  readonly runtime: SiteRuntime;
  readonly caching: SiteCaching | null;
  readonly fetch: typeof globalThis.fetch;
}

function createPoller(
  { cache: options = {} }: SiteOptions,
  { caching, clock, fetch, log, mount, siteName, runtime }: PollerDependencies,
): ReturnType<typeof createChangePoller> | null {
  const interval = options === 'off' ? undefined : options.watch;
  if (caching === null || interval === undefined) return null;
  return createChangePoller({ runtime, caching, mount, interval, fetch, clock, log, siteName });
}

/** The circuit breakers are on by default if the cache can respond in place of the site. */
function createCircuits({ breaker }: SiteOptions, isCached: boolean): SiteCircuits | null {
  if (!(breaker ?? isCached)) return null;
  const options =
    typeof breaker === 'object' ? { ...DEFAULT_CIRCUIT_BREAKER, ...breaker } : DEFAULT_CIRCUIT_BREAKER;
  return createSiteCircuits(options);
}
