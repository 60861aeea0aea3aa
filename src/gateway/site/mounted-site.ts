import type { HttpCache } from '../../cache/cache.ts';
import { decodeWithWebStreams } from '../../http/content-decoding.ts';
import { DEFAULT_TIMEOUTS } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { silentLog, systemClock } from '../../ports.ts';
import type { ProxyTrust } from '../../upstream/trusted-proxies.ts';
import { noRouteError } from '../../validation/request/index.ts';
import { mountPath, publicPath } from '../app/mounts.ts';
import { createChangePoller } from '../caching/change-poller.ts';
import { createSiteCaching, type SiteCaching } from '../caching/site-caching.ts';
import { packagedDocs } from '../local/docs.ts';
import { createLocalResponse } from '../local/local-response.ts';
import type { GatewayOptions, SiteOptions } from '../options/gateway-options.ts';
import type { Plan, RequestAttributes } from '../plan/plan.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import { createSiteRuntime, type SiteRuntime } from '../snapshot/site-runtime.ts';
import { createInitialSnapshot, createSnapshotReader } from '../snapshot/snapshot-reader.ts';
import { createPersistenceFactory } from '../validating/evidence-persistence.ts';
import { isEnvelopeRequested, toProblem } from '../validating/operation-validation.ts';
import { createEmptyDescription } from '../validating/problems.ts';
import { createSiteValidation, type SiteValidation } from '../validating/site-validation.ts';
import { createSiteGuard } from './breaker.ts';
import { createForwardPlanner } from './forward-planner.ts';

/** One site behind the gateway. */
export interface MountedSite {
  /** `/content`, or empty. */
  readonly mount: string;
  /** Its address, without credentials. */
  readonly url: string;
  readonly runtime: SiteRuntime;
  readonly validation: SiteValidation;
  /** Null where nothing of it is kept. */
  readonly caching: SiteCaching | null;
  /** The secret with which it signs what it says of changes; undefined where it may not. */
  readonly webhook: string | undefined;
  /** Begins to read the site, and what was kept of it. Harmless when called twice. */
  start(): void;
  /** Reads it now. A failure is logged and the last good snapshot kept; this never rejects. */
  rediscover(): Promise<void>;
  /** Reads no more; resolves when what is to be kept has been written. */
  stop(): Promise<void>;
  /** Decides what becomes of a request that is addressed to this mount. */
  plan(head: IncomingRequestHead, requestId: string): Plan;
}

const NOT_READY: Problem = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'The site has not been read yet. Try again in a moment.',
  headers: { 'retry-after': '5' },
};

/** What all sites of a gateway have in common. */
export interface SiteDependencies {
  readonly trust: ProxyTrust;
  readonly cache: HttpCache | null;
}

/** @throws ConfigurationError where the site's stored document cannot be served from */
export function mountSite(
  options: SiteOptions,
  gateway: GatewayOptions,
  { cache, trust }: SiteDependencies,
): MountedSite {
  const mount = mountPath(options);
  const url = withoutCredentials(options.url);
  const path = publicPath(gateway.publicUrl, mount);
  const docs = gateway.docs ?? packagedDocs;
  const unknownRoutes = options.unknownRoutes ?? 'pass';
  const name = mount === '' ? url : mount;
  const clock = gateway.clock ?? systemClock;
  const log = gateway.log ?? silentLog;
  const random = gateway.random ?? Math.random;
  const runtime = createSiteRuntime({
    read: createSnapshotReader(options, gateway),
    initial: createInitialSnapshot(options, gateway),
    interval: options.rediscover,
    clock,
    random,
    log,
    name,
  });
  const validation = createSiteValidation({
    options: options.validation ?? {},
    rejectsUnknownRoutes: unknownRoutes === 'refuse',
    learnsUnknownRoutes: options.unknownRoutes === undefined,
    site: name,
    log,
    clock,
    random,
    decode: gateway.decode ?? decodeWithWebStreams,
    createPersistence: createPersistenceFactory(gateway.state, {
      name: stateName(mount),
      site: url,
      clock,
      log,
    }),
  });
  const rewriteBodies = options.rewriteBodies ?? false;
  const { cache: kept = {} } = options;
  const caching =
    cache === null || kept === 'off' ? null : createSiteCaching({ cache, options: kept, rewriteBodies });
  const interval = kept === 'off' ? undefined : kept.watch;
  const watcher =
    caching === null || interval === undefined
      ? null
      : createChangePoller({
          runtime,
          caching,
          mount,
          interval,
          fetch: gateway.fetch ?? globalThis.fetch,
          clock,
          log,
          site: name,
        });
  const proxy = createForwardPlanner({
    mount,
    trust,
    publicUrl: gateway.publicUrl,
    rewriteBodies,
    timeouts: options.timeouts ?? DEFAULT_TIMEOUTS,
    caching,
    guard: createSiteGuard(options, clock, caching !== null),
  });

  const offRoute = ({ peer }: IncomingRequestHead, requestId: string): RequestAttributes => ({
    requestId,
    client: peer,
    mount,
    route: null,
    operation: null,
  });

  return {
    mount,
    url,
    runtime,
    validation,
    caching,
    webhook: kept === 'off' ? undefined : kept.webhook,
    start() {
      runtime.start();
      void validation.load();
      watcher?.start();
    },
    async rediscover() {
      await Promise.all([validation.load(), runtime.rediscover()]);
    },
    async stop() {
      runtime.stop();
      watcher?.stop();
      await validation.stop();
    },
    plan(head, requestId) {
      const { snapshot } = runtime;
      if (snapshot === null) {
        return {
          kind: 'answer',
          facts: offRoute(head, requestId),
          respond: () => problemResponse(NOT_READY),
        };
      }
      const resolved = snapshot.read(head);
      if (resolved.kind === 'page') {
        return proxy(snapshot, resolved, head, offRoute(head, requestId), null, null);
      }
      if (resolved.kind === 'own') {
        const respond = () => createLocalResponse(head, snapshot, resolved.target, { path, docs });
        return { kind: 'answer', facts: offRoute(head, requestId), respond };
      }

      const { match, target } = resolved;
      const operation = match.kind === 'found' ? match.operation.id : null;
      const { route } = target;
      const known: RequestAttributes = { requestId, client: head.peer, mount, route, operation };
      // OPTIONS describes a route and needs no operation of its own.
      const served = match.kind === 'found' || (match.kind === 'noMethod' && target.method === 'OPTIONS');
      if (unknownRoutes === 'refuse' && !served) {
        const request = { reading: resolved, head };
        const refuse = (): Problem =>
          target.method === 'OPTIONS'
            ? createEmptyDescription(head.headers, isEnvelopeRequested(request))
            : toProblem(request, noRouteError());
        return { kind: 'answer', facts: known, respond: () => problemResponse(refuse(), head.method) };
      }
      const judging = validation.start(snapshot, { resolved, head });
      const sample = validation.sample(snapshot, resolved);
      return proxy(snapshot, resolved, head, known, judging, sample);
    },
  };
}

/** What is kept of a site goes by its mount, of which there is one each. */
function stateName(mount: string): string {
  return mount === '' ? 'validation' : `validation.${mount.slice(1)}`;
}

/** For the log. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
}
