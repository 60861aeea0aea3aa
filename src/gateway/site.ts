import type { Cache } from '../cache/cache.ts';
import { DEFAULT_TIMEOUTS } from '../http/exchange.ts';
import { silentLog, systemClock } from '../ports.ts';
import type { Trust } from '../upstream/trust.ts';
import { noRoute } from '../validation/request/index.ts';
import { createSiteCaching, type SiteCaching } from './caching/caching.ts';
import { createGuard } from './caching/guard.ts';
import { createWatcher } from './caching/watching.ts';
import { decodeWithStreams } from './decode.ts';
import { createReader, initialSnapshot } from './discovering.ts';
import { packagedDocs } from './docs.ts';
import { mountOf, publicPath } from './mount.ts';
import type { GatewayOptions, SiteOptions } from './options.ts';
import { answerOwn } from './own.ts';
import type { Plan, RequestFacts, RequestHead } from './plan.ts';
import { type Problem, problemResponse } from './problem.ts';
import { createProxy } from './proxy.ts';
import { createRuntime, type SiteRuntime } from './runtime.ts';
import { isEnveloped, refusalOf } from './validating/judging.ts';
import { keepIn } from './validating/keeping.ts';
import { describeNothing } from './validating/refusal.ts';
import { createSiteValidation, type SiteValidation } from './validating/validation.ts';

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
  plan(head: RequestHead, requestId: string): Plan;
}

const NOT_READY: Problem = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'The site has not been read yet. Try again in a moment.',
  headers: { 'retry-after': '5' },
};

/** What all sites of a gateway have in common. */
export interface SharedParts {
  readonly trust: Trust;
  readonly cache: Cache | null;
}

/** @throws ConfigurationError where the site's stored document cannot be served from */
export function mountSite(
  options: SiteOptions,
  gateway: GatewayOptions,
  { cache, trust }: SharedParts,
): MountedSite {
  const mount = mountOf(options);
  const url = withoutCredentials(options.url);
  const path = publicPath(gateway.publicUrl, mount);
  const docs = gateway.docs ?? packagedDocs;
  const unknownRoutes = options.unknownRoutes ?? 'pass';
  const name = mount === '' ? url : mount;
  const clock = gateway.clock ?? systemClock;
  const log = gateway.log ?? silentLog;
  const random = gateway.random ?? Math.random;
  const runtime = createRuntime({
    read: createReader(options, gateway),
    initial: initialSnapshot(options, gateway),
    interval: options.rediscover,
    clock,
    random,
    log,
    name,
  });
  const validation = createSiteValidation({
    options: options.validation ?? {},
    refusesUnknown: unknownRoutes === 'refuse',
    learnsUnknown: options.unknownRoutes === undefined,
    site: name,
    log,
    clock,
    random,
    decode: gateway.decode ?? decodeWithStreams,
    keep: keepIn(gateway.state, { name: stateName(mount), site: url, clock, log }),
  });
  const rewriteBodies = options.rewriteBodies ?? false;
  const { cache: kept = {} } = options;
  const caching =
    cache === null || kept === 'off' ? null : createSiteCaching({ cache, options: kept, rewriteBodies });
  const interval = kept === 'off' ? undefined : kept.watch;
  const watcher =
    caching === null || interval === undefined
      ? null
      : createWatcher({
          runtime,
          caching,
          mount,
          interval,
          fetch: gateway.fetch ?? globalThis.fetch,
          clock,
          log,
          site: name,
        });
  const proxy = createProxy({
    mount,
    trust,
    publicUrl: gateway.publicUrl,
    rewriteBodies,
    timeouts: options.timeouts ?? DEFAULT_TIMEOUTS,
    caching,
    guard: createGuard(options, clock, caching !== null),
  });

  const offRoute = ({ peer }: RequestHead, requestId: string): RequestFacts => ({
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
      const reading = snapshot.read(head);
      if (reading.kind === 'page') {
        return proxy(snapshot, reading, head, offRoute(head, requestId), null, null);
      }
      if (reading.kind === 'own') {
        const respond = () => answerOwn(head, snapshot, reading.target, { path, docs });
        return { kind: 'answer', facts: offRoute(head, requestId), respond };
      }

      const { match, target } = reading;
      const operation = match.kind === 'found' ? match.operation.id : null;
      const { route } = target;
      const known: RequestFacts = { requestId, client: head.peer, mount, route, operation };
      // OPTIONS describes a route and needs no operation of its own.
      const served = match.kind === 'found' || (match.kind === 'noMethod' && target.method === 'OPTIONS');
      if (unknownRoutes === 'refuse' && !served) {
        const request = { reading, head };
        const refuse = (): Problem =>
          target.method === 'OPTIONS'
            ? describeNothing(head.headers, isEnveloped(request))
            : refusalOf(request, noRoute());
        return { kind: 'answer', facts: known, respond: () => problemResponse(refuse(), head.method) };
      }
      const judging = validation.begin(snapshot, { reading, head });
      const sample = validation.sample(snapshot, reading);
      return proxy(snapshot, reading, head, known, judging, sample);
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
