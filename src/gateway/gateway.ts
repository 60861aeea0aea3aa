import { Hono } from 'hono';
import { findTargetHandler } from 'hono/utils/handler';
import type { AdminHandler } from '../admin/admin-app.ts';
import { siteKey } from '../admin/site-operations.ts';
import { attemptEach, ConfigurationError } from '../errors.ts';
import { PROBLEMS, problemResponse } from '../exchange/problem.ts';
import { fieldValue, toFieldPairs } from '../http/fields.ts';
import { isSameData } from '../json.ts';
import { silentLog, systemClock } from '../ports.ts';
import { loadPackagedDocs } from '../site/documents/documents.ts';
import { createAccessCheck, createAdminCheck } from '../site/limiting/site-limits.ts';
import { MountedSite, type SiteDependencies } from '../site/mounted-site.ts';
import type { GatewayOptions } from '../site/options/gateway-options.ts';
import { readHostEntry } from '../site/options/hosts.ts';
import { toMount, toSiteName } from '../site/options/mount-path.ts';
import { createServedHosts } from '../site/served-hosts.ts';
import { createQueue } from '../steps.ts';
import { createFetchTransport } from '../upstream/fetch-transport.ts';
import { createTrustedProxyCheck } from '../upstream/forwarded.ts';
import { createAdministration } from './administration.ts';
import { createFetchPlatform, fetchFromSite } from './fetch-adapter.ts';
import { createGatewayParts, type GatewayParts } from './gateway-parts.ts';
import { type Call, createGatewayRoutes, type ServedCall } from './gateway-routes.ts';
import { handleHead } from './handle.ts';
import { createMountLookup, createRequestIds, type RequestContext } from './resolve-site.ts';
import {
  AgentExchange,
  createSentResponse,
  EXCHANGE,
  READABLE_HOST,
  type RequestHandling,
} from './server-exchange.ts';

/**
 * A gateway: a Hono app, and the control of its sites. Its routes are complete: middleware and routes are added with the option `app`, or
 * to an app that the gateway is mounted in.
 */
export interface Gateway extends Hono {
  /**
   * Serves all sites from the last good documents that `state` has, until they are discovered. The first discovery does so too;
   * call it to be ready before. Idempotent, and never rejects.
   */
  restore(): Promise<void>;
  /** Starts the discovery of all sites. The first request does so too; call it to be ready earlier. Idempotent. */
  start(): void;
  /** Discovers all sites now. A site that fails keeps its last good document. Never rejects. */
  rediscover(): Promise<void>;
  /** Whether every site can be served. One with `passthrough` can, once its first discovery has ended. */
  isReady(): boolean;
  /** Serves the operations below `/-/`, for a listener on another port. */
  readonly admin: AdminHandler;
  /** Stops all background work. Resolves when the documents are stored. */
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
  return createSuccessor(options, null);
}

/**
 * Creates a gateway that takes the place of another one, as a reload does.
 *
 * @param previous the gateway before; `null` for the first. Its sites with the same settings are used further
 * @param app that the routes of the gateway are added to, after its own
 * @internal
 */
export function createSuccessor(
  options: GatewayOptions,
  previous: GatewayInternals | null,
  app: Hono = new Hono(),
): Gateway {
  const { clock = systemClock, fetch = globalThis.fetch, log = silentLog, random = Math.random } = options;
  const trust = createTrustedProxyCheck(options.trust ?? []);
  const parts = createGatewayParts(options, previous?.parts ?? null, (scope) => findSiteKey(sites, scope));
  const { bodyMemory, drain, durations, notifier } = parts;
  const sites = mountSites({ ...parts, trust }, previous);
  const findSite = createMountLookup(sites);
  const hosts = createServedHosts([...sites.values()], options);

  const controls = {
    isReady: () => [...sites.values()].every(({ runtime }) => runtime.isReady),
    async restore(): Promise<void> {
      await Promise.all(Array.from(sites.values(), ({ runtime }) => runtime.restore()));
    },
    start(): void {
      for (const site of sites.values()) site.start();
    },
    async rediscover(): Promise<void> {
      await Promise.all(Array.from(sites.values(), (site) => site.rediscover()));
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(sites.values(), (site) => site.stop()));
      await notifier?.stop();
    },
  };
  const { admin, publicAdminHandler, publicApp } = createAdministration(options, {
    ...parts,
    sites,
    findSite(path, host) {
      const atHost = host === '' || hosts === undefined ? null : hosts(host);
      return atHost === null ? findSite(path) : atHost;
    },
    rediscover: controls.rediscover,
    trust,
  });
  const context: RequestContext = {
    sites,
    findSite,
    trust,
    hosts,
    access: createAccessCheck(options.access ?? {}, 'access'),
    admin: createAdminCheck(options.access ?? {}, 'access'),
    nextRequestId: createRequestIds(random),
    loadDocs: options.docs ?? loadPackagedDocs,
    publicAdminHandler,
    durations,
    async respondToAgent(head, init, outer) {
      // The app that a server of this package serves can have mounted the gateway, with middleware of its own.
      const { prefix = '', target, ...received } = head;
      const mounted = outer === null ? head : { ...received, target: prefix + target };
      const host = fieldValue(head.headers, 'host') ?? '';
      const origin = `http://${READABLE_HOST.test(host) ? host : 'localhost'}`;
      const called = new Request(origin + mounted.target, {
        ...init,
        headers: toFieldPairs(mounted.headers),
      });
      const environment = {
        [EXCHANGE]: new AgentExchange(mounted, called),
        incoming: { socket: { remoteAddress: head.peerAddress } },
      };
      return outer === null ? app.fetch(called, environment) : outer.callApp(called, environment);
    },
    waitForAgents: createQueue(TURNS_BETWEEN_AGENTS),
    version: options.version ?? 'unknown',
    log,
  };
  const platform = createFetchPlatform(
    options.transport ?? ((origin, timeouts) => createFetchTransport(origin, fetch, timeouts)),
    bodyMemory,
  );
  async function createResponse({
    exchange,
    isSeenByOthers,
    prepared,
    request,
  }: ServedCall): Promise<Response> {
    if (prepared.kind === 'own') {
      exchange?.watchContent();
      return prepared.respond(request, exchange);
    }
    if (exchange === null) return fetchFromSite(prepared, request, platform);
    if (isSeenByOthers) return exchange.fetch(prepared, request);
    await exchange.write(prepared);
    return createSentResponse();
  }

  /** Responds with a `Response`, and records it unless a server does so. Never rejects. */
  async function respond(call: Call): Promise<Response> {
    controls.start();
    const started = clock.now();
    const { last } = platform.exchanges;
    const { request } = call;
    // No server records what an agent is sent, or writes it.
    const exchange = call.exchange instanceof AgentExchange ? null : call.exchange;
    let { prepared } = call;
    let { requestId } = prepared;
    // Workers end a request that waits for nothing but others: for the same response, or the same page.
    const cancel = exchange === null ? clock.after(MAX_WAIT, () => {}) : undefined;
    try {
      if (prepared.kind === 'own' && prepared.prepareLater !== undefined) {
        prepared = await prepared.prepareLater();
        exchange?.begin(internals, prepared);
        ({ requestId } = prepared);
      }
      const response = await createResponse({ ...call, exchange, prepared });
      response.headers.set('x-request-id', requestId);
      const cors = prepared.kind === 'site' ? prepared.site.cors : (prepared.cors ?? null);
      cors?.replaceIn(response.headers, request.headers.get('origin') ?? undefined);
      for (const [name, value] of toFieldPairs(prepared.limitFields ?? []))
        response.headers.append(name, value);
      if (exchange === null || (prepared.kind === 'own' && prepared.problem === undefined)) {
        const cacheStatus = response.headers.get('cache-status') ?? undefined;
        const duration = clock.now() - started;
        if (prepared.recordResponse === undefined) {
          context.durations.countUnresolved(request.method, response.status, duration);
          if (prepared.kind === 'own') prepared.recordUnresolved?.();
        } else prepared.recordResponse(response.status, cacheStatus, duration);
      }
      return response;
    } catch (error) {
      log.error({ err: error, requestId }, 'the gateway failed to respond');
      return problemResponse({ ...PROBLEMS.internalError, headers: { 'x-request-id': requestId } });
    } finally {
      cancel?.();
      const pending = Array.from(sites.values(), ({ runtime }) => runtime.running).filter(
        (task) => task !== null,
      );
      // Not those of other requests: a stream would keep a part of each request in memory until it ends.
      for (const [number, ended] of platform.exchanges.open) if (number > last) pending.push(ended);
      if (pending.length > 0) call.waitUntil(Promise.all(pending));
    }
  }

  const { handlers, proxy, routes } = createGatewayRoutes({
    prepare(head, exchange) {
      const prepared = handleHead(context, head);
      exchange?.begin(internals, prepared);
      return prepared;
    },
    respond,
    connInfo: options.connInfo,
    admin: publicApp,
  });
  options.app?.(app);
  app.route('/', routes);
  const internals: GatewayInternals = {
    ...{ context, bodyMemory, handlers, parts },
    beginStop() {
      drain.isDraining = true;
    },
  };
  const gateway = Object.assign(app, { ...controls, admin, [INTERNALS]: internals });
  Object.assign(proxy, { [MOUNTED]: gateway });
  for (const name of ADDING_METHODS) Object.assign(gateway, { [name]: refuseRoutes });
  return gateway;
}

/** They cost a twentieth of a message, and a thousand new connections wait for 60 messages instead of a thousand. */
const TURNS_BETWEEN_AGENTS = 16;

/** Milliseconds for which a request can wait for others. */
const MAX_WAIT = 60_000;

/** Methods of an app that add routes. Those of the gateway come last and respond to every request. */
const ADDING_METHODS = [
  ...['use', 'all', 'on', 'get', 'post', 'put', 'delete', 'options', 'patch', 'query', 'route', 'mount'],
];

function refuseRoutes(): never {
  throw new ConfigurationError(
    'The gateway responds to every request, so what is added after it never runs. Add middleware and routes with the option `app` of createGateway: `app: (app) => { app.use(…); }`, or to an app that the gateway is mounted in: `new Hono().use(…).route("/", gateway)`.',
  );
}

const MOUNTED: unique symbol = Symbol('waygate mounted gateway');

/** Where an app has mounted a gateway. @internal */
export interface GatewayMount {
  readonly gateway: Gateway;
  /** Empty, or a path such as `/api`; it can have parameters. */
  readonly prefix: string;
}

/** Lists the gateways in an app, in the order in which it tries them. @internal */
export function listGateways({ routes }: Pick<Hono, 'routes'>): readonly GatewayMount[] {
  return routes.flatMap(({ basePath, handler }) => {
    const target: object & { readonly [MOUNTED]?: Gateway } = findTargetHandler(handler);
    const gateway = target[MOUNTED];
    return gateway === undefined ? [] : [{ gateway, prefix: basePath === '/' ? '' : basePath }];
  });
}

const INTERNALS: unique symbol = Symbol('waygate internals');

/** The part of a gateway that only the server adapters of this package use. @internal */
export interface GatewayInternals extends RequestHandling {
  /** Handlers of the gateway's routes. */
  readonly handlers: ReadonlySet<unknown>;
  readonly parts: GatewayParts;
  /** Called when the server begins to stop. `/-/ready` responds with 503 from then on. */
  beginStop(): void;
}

/** @throws {TypeError} when `createGateway` of this copy of the package did not create the gateway @internal */
export function getGatewayInternals(
  gateway: Gateway & { readonly [INTERNALS]?: GatewayInternals },
): GatewayInternals {
  const internals = gateway[INTERNALS];
  if (internals === undefined) throw new TypeError('The gateway was not created by createGateway.');
  return internals;
}

/** @returns the sites by mount: those of the gateway before if nothing differs that concerns them */
function mountSites(
  dependencies: SiteDependencies,
  previous: GatewayInternals | null,
): ReadonlyMap<string, MountedSite> {
  const { limits, options } = dependencies;
  const { sites } = options;
  // Names are derived from hosts, so an entry that is no host would be taken for a name that is missing.
  for (const [at, { hosts = [] }] of sites.entries()) {
    for (const [entryAt, host] of hosts.entries()) readHostEntry(host, `sites[${at}].hosts[${entryAt}]`);
  }
  const names = sites.map(toSiteName);
  const repeated = names.findIndex((name, at) => names.indexOf(name) < at);
  if (repeated >= 0) {
    const name = names[repeated];
    const derived =
      sites[repeated]?.name === undefined ? '; a site with hosts is named after the first of them' : '';
    const message =
      name === ''
        ? 'only one site may have neither a name nor hosts'
        : `the name "${name}" is used twice${derived}`;
    throw new ConfigurationError(`sites[${repeated}].name: ${message}`);
  }
  const isShared =
    limits === previous?.parts.limits &&
    (['hosts', 'publicUrl', 'trust'] as const).every((name) =>
      isSameData(previous.parts.options[name], options[name]),
    );
  return new Map(
    attemptEach(sites, (site) => {
      const mount = toMount(site);
      const before = previous?.context.sites.get(mount);
      const isSame = isShared && before !== undefined && isSameData(before.options, site);
      return [mount, isSame ? before : new MountedSite(site, dependencies, before)];
    }),
  );
}

/** Finds the name of the site whose stored responses begin with a scope. @internal */
export function findSiteKey(sites: ReadonlyMap<string, MountedSite>, scope: string): string | undefined {
  for (const site of sites.values()) {
    const { snapshot } = site.runtime;
    if (snapshot !== null && site.caching?.getStoreScope(snapshot) === scope) return siteKey(site);
  }
  return undefined;
}
