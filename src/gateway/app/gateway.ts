import { Hono } from 'hono';
import type { HttpCache } from '../../cache/cache-request.ts';
import { createCompressor } from '../../cache/compressor.ts';
import { createHttpCache } from '../../cache/http-cache.ts';
import type { CacheStore } from '../../cache/store.ts';
import { createMemoryStore } from '../../cache/stores/memory-store.ts';

import { ConfigurationError } from '../../errors.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { silentLog, systemClock } from '../../ports.ts';
import { createFetchTransport } from '../../upstream/fetch-transport.ts';
import { createTrustedProxyCheck } from '../../upstream/trusted-proxies.ts';
import type { AdminHandler } from '../admin/admin-handler.ts';
import { createRequestMetrics } from '../admin/request-metrics.ts';
import { createBodyMemory } from '../exchange/body-memory.ts';
import { createFetchAdapter, readRequestHead } from '../exchange/fetch-adapter.ts';
import { loadPackagedDocs } from '../local/serve-docs.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { toMountPath } from '../options/mount-path.ts';
import type { RequestPlan } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import { type MountedSite, mountSite } from '../site/mounted-site.ts';
import { OperationBudget } from '../traffic/operation-budget.ts';
import { createAdministration } from './administration.ts';
import { type GatewayInternals, setGatewayInternals } from './gateway-internals.ts';
import { createHostCheck } from './host-check.ts';
import { createMountLookup, createRequestPlanner, INTERNAL_ERROR } from './request-planner.ts';

/** A gateway: a Hono app, and the control of its sites. */
export interface Gateway extends Hono {
  /** Starts the discovery of all sites. The first request does so too; call it to be ready earlier. Idempotent. */
  start(): void;
  /** Discovers all sites now. A site that fails keeps its last good document. Never rejects. */
  rediscover(): Promise<void>;
  /** Whether every site can be served. */
  isReady(): boolean;
  /** Serves the operations below `/-/`, for a listener on another port. */
  readonly admin: AdminHandler;
  /** Stops all background work. Resolves when validation evidence is persisted. */
  stop(): Promise<void>;
}

/**
 * Creates a gateway for one or more sites.
 *
 * @returns a Hono app, so it can be mounted in another app or run by any of Hono's adapters
 * @throws {ConfigurationError} when a name is invalid or not unique, or a network, document or overlay is invalid
 *
 * @example
 * import { createGateway } from 'waygate';
 *
 * const gateway = createGateway({ sites: [{ url: 'https://example.com' }] });
 * await gateway.rediscover();
 * const response = await gateway.request('/openapi.json');
 * console.log(response.status);
 * await gateway.stop();
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock = systemClock, fetch = globalThis.fetch, log = silentLog, random = Math.random } = options;
  const trust = createTrustedProxyCheck(options.trust ?? []);
  const cache = createGatewayCache(options);
  const sites = mountSites(options, {
    gatewayOptions: options,
    trust,
    cache,
    operationBudget: new OperationBudget(),
  });
  const findSite = createMountLookup(sites);
  const requestMetrics = createRequestMetrics();
  const bodyMemory = createBodyMemory(options.bodyMemory);
  const countResponse: GatewayInternals['countResponse'] = (plan, status, cacheStatus, milliseconds) => {
    requestMetrics.countResponse(plan.attributes.mount, status, cacheStatus);
    plan.recordResponse?.(status, cacheStatus, milliseconds);
  };

  const controls = {
    isReady: () => [...sites.values()].every(({ runtime }) => runtime.snapshot !== null),
    start(): void {
      for (const site of sites.values()) site.start();
    },
    async rediscover(): Promise<void> {
      await Promise.all(Array.from(sites.values(), (site) => site.rediscover()));
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(sites.values(), (site) => site.stop()));
    },
  };

  const isServedHost = createHostCheck(options.hosts, options.publicUrl, trust);
  const { admin, beginStop, publicAdminHandler } = createAdministration(options, {
    sites,
    findSite,
    isServedHost,
    store: cache?.store ?? null,
    rediscover: controls.rediscover,
    requestMetrics,
    bodyMemory,
    trust,
  });
  const planRequest = createRequestPlanner({
    sites,
    findSite,
    trust,
    isServedHost,
    log,
    random,
    loadDocs: options.docs ?? loadPackagedDocs,
    publicAdminHandler,
  });
  const respond = createFetchAdapter(
    options.transport ?? ((origin, timeouts) => createFetchTransport({ origin, fetch, timeouts })),
    bodyMemory,
  );
  const plannedRequests = new WeakMap<Request, RequestPlan>();

  const app = new Hono();
  app.all('*', async (context) => {
    controls.start();
    const request = context.req.raw;
    const requestPlan =
      plannedRequests.get(request) ?? planRequest(readRequestHead(request, options.connInfo?.(context)));
    const started = clock.now();
    const response = await respond(requestPlan, request);
    const cacheStatus = response.headers.get('cache-status') ?? undefined;
    countResponse(requestPlan, response.status, cacheStatus, clock.now() - started);
    return response;
  });
  app.onError((error) => {
    log.error({ err: error }, 'the gateway failed to respond');
    return problemResponse(INTERNAL_ERROR);
  });
  const gateway = Object.assign(app, { ...controls, admin });
  setGatewayInternals(gateway, {
    planRequest,
    bodyMemory,
    beginStop,
    countResponse,
    fetchPlanned(request, requestPlan) {
      plannedRequests.set(request, requestPlan);
      return app.fetch(request);
    },
  });
  return gateway;
}

/** @returns the sites by mount path */
function mountSites(
  { sites }: GatewayOptions,
  dependencies: Parameters<typeof mountSite>[1],
): ReadonlyMap<string, MountedSite> {
  const mounted = new Map(sites.map((site) => [toMountPath(site), mountSite(site, dependencies)]));
  if (mounted.size !== sites.length) {
    throw new ConfigurationError(
      'sites: two sites have the same name, or none; each site needs a name of its own',
    );
  }
  return mounted;
}

/** Creates the cache that all sites of a gateway share; `null` if caching is off. */
function createGatewayCache(options: GatewayOptions): HttpCache | null {
  const { cache = 'off', clock = systemClock, encoders = [], maxEntryBytes, random = Math.random } = options;
  if (cache === 'off') return null;
  const limits = omitUndefined({ maxEntryBytes });
  const store: CacheStore = cache === 'memory' ? createMemoryStore({ clock, ...limits }) : cache;
  const compressor = createCompressor({ store, encoders });
  return createHttpCache({ store, clock, random, compressor, limits });
}
