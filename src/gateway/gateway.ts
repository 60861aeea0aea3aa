import { type Context, Hono } from 'hono';
import { attemptEach, ConfigurationError, settleAll } from '../base/errors.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { toFieldPairs } from '../base/http/fields.ts';
import { isSameData } from '../base/json.ts';
import { createQueue } from '../base/steps.ts';
import { PROBLEMS, problemResponse } from './exchange/problem.ts';
import { sendFetch } from './fetch.ts';
import { type CallApp, findMount, readFetchRequest, toFetchUrl } from './incoming-request.ts';
import { findExchange } from './reply.ts';
import type { CreateOperations, RequestContext } from './request-context.ts';
import { createPathLookup, createRequestIds } from './respond.ts';
import { endQuestions } from './site/agent-tokens.ts';
import { createServedHosts } from './site/hosts.ts';
import { MountedSite } from './site/mounted-site.ts';
import { type GatewayOptions, readMountedSiteSettings } from './site/settings.ts';
import { createSharedParts, type SharedParts } from './site/shared-parts.ts';
import type { AdminHandler, Surfaces } from './surfaces.ts';
import { EVERYTHING } from './wordpress/cache-names.ts';

/** Turns are cheap, and new connections otherwise wait for all messages of agents. */
const TURNS_BETWEEN_AGENTS = 16;

const STOP_GRACE = 10_000;

interface GatewayInputs {
  readonly options: GatewayOptions;
  readonly surfaces: Surfaces;
  readonly createOperations: CreateOperations;
  /** The replaced gateway, whose data this one keeps. */
  readonly before?: Gateway | null | undefined;
  /** A user's, whose middleware and routes come before the gateway. */
  readonly app?: Hono | null | undefined;
}

/** A gateway in front of sites. {@link app} responds to requests; the methods control the sites. */
export class Gateway {
  /** Responds to every request. Add your own: `new Hono().use(…).route('/', gateway.app)`. */
  readonly app: Hono;
  /** For a listener on another port. @internal */
  readonly admin: AdminHandler;
  /** For the functions of `respond.ts`. @internal */
  readonly context: RequestContext;
  /** {@link app} if a user's middleware or routes come before the gateway. @internal */
  readonly outerApp: Hono | null;
  /** Shared with all gateways that this one has replaced, whose waiting requests the latest serves. */
  #line: { latest: Gateway } = { latest: this };

  /** @throws {ConfigurationError} when a document or an overlay is invalid @internal */
  constructor({ options, surfaces, createOperations, before = null, app = null }: GatewayInputs) {
    const parts = createSharedParts(options, before?.parts);
    const sites = mountSites(parts, before?.context.sites);
    const findSite = createPathLookup(sites);
    const hosts = createServedHosts([...sites.values()], options);
    const { admin, publicAdmin } = createOperations(parts, {
      sites,
      findSite(path, host) {
        const atHost = hosts === undefined ? null : hosts(host || 'localhost');
        return atHost === null ? findSite(path) : atHost;
      },
      rediscover: () => this.rediscover(),
    });
    this.admin = admin;
    this.context = {
      parts,
      sites,
      findSite,
      hosts,
      nextRequestId: createRequestIds(parts.random),
      findLatest: () => this.#line.latest.context,
      surfaces,
      publicAdmin,
      respondToAgent: (head, init, callApp) => this.#respondToAgent(head, init, callApp),
      waitForAgents: createQueue(TURNS_BETWEEN_AGENTS),
    };
    this.outerApp = app !== null && app.routes.length > 0 ? this.#addTo(app) : null;
    this.app = this.outerApp ?? new Hono();
    this.app.all('*', (call) => this.#respondToApp(call));
    if (before === null) this.#receivePurges();
  }

  /** @internal */
  get parts(): SharedParts {
    return this.context.parts;
  }

  /** Responds to a request, for adapters of Hono, and for tests. */
  readonly fetch = (request: Request, environment: object = {}): Response | Promise<Response> =>
    this.app.fetch(request, environment);

  /** Whether a site can be served; with `passthrough`, after its first discovery. */
  isReady(): boolean {
    return this.#sites.some(({ runtime }) => runtime.isReady);
  }

  /** Serves the last good documents until the sites are discovered. Never rejects. */
  async restore(): Promise<void> {
    await Promise.all(this.#sites.map(({ runtime }) => runtime.restore()));
  }

  start(): void {
    for (const { runtime } of this.#sites) runtime.start();
  }

  /** Discovers all sites now. A site that fails keeps its last good document. Never rejects. */
  async rediscover(): Promise<void> {
    await Promise.all(this.#sites.map(({ runtime }) => runtime.rediscover()));
  }

  /** Stops all work. Resolves when the documents are stored. @param grace milliseconds. @default 10_000 */
  async stop(grace: number = STOP_GRACE): Promise<void> {
    this.endQuestions();
    await Promise.all(this.#sites.map((site) => site.stop(grace)));
    await this.parts.notifier?.stop();
    await this.parts.options.onStopped?.();
  }

  /** Lets `/-/ready` respond with 503, when the server begins to stop. @internal */
  beginStop(): void {
    this.parts.drain.isDraining = true;
  }

  /** Ends agents' calls that wait for a person. @internal */
  endQuestions(): void {
    for (const { agents } of this.#sites) if (agents !== null) endQuestions(agents.questions);
  }

  /**
   * Gets all sites ready while another gateway serves.
   * @returns why new and changed sites cannot be served yet
   * @throws {ConfigurationError} when no site can be served. This gateway has ended then
   * @internal
   */
  async getReady(): Promise<readonly string[]> {
    try {
      const problems = (await settleAll(this.#sites.map((site) => site.getReady()))).flat();
      if (problems.length === 0 || this.isReady()) return problems;
      throw new ConfigurationError(problems.join('; '), { problems });
    } catch (error) {
      for (const site of this.#sites) void site.retire(undefined);
      throw error;
    }
  }

  /** Takes over from a gateway whose last requests are in flight. @internal */
  succeed(before: Gateway): void {
    this.#line = before.#line;
    this.#line.latest = this;
    this.parts.cache?.keyMemos.clear();
    this.#receivePurges();
    for (const [name, site] of before.context.sites) replaceSite(site, this.context.sites.get(name));
    this.start();
  }

  #receivePurges(): void {
    const { notifier } = this.parts;
    if (notifier === null) return;
    notifier.findSite = (scope) => {
      const isScope = ({ caching, runtime: { snapshot } }: MountedSite): boolean =>
        snapshot !== null && caching?.getStoreScope(snapshot) === scope;
      const site = this.#sites.find(isScope);
      return site && { name: site.settings.name, operations: site.runtime.snapshot?.requestValidators };
    };
  }

  /** Tells a user's middleware which gateway comes after it, for `resolveRequest`. */
  #addTo(outer: Hono): Hono {
    return new Hono()
      .onError((error) => {
        if ('getResponse' in error) return error.getResponse();
        // Hono would print the error. The listener logs it.
        throw error;
      })
      .use(async (call: Context, next) => {
        call.set(MOUNT, { gateway: this, path: findMount(call) } satisfies GatewayMount);
        // A returned `next()` would be the response of a handler that returns none.
        await next();
      })
      .route('/', outer);
  }

  async #respondToApp(call: Context): Promise<Response> {
    const exchange = findExchange(call.env);
    const request = await readFetchRequest(call, exchange?.callApp ?? null);
    if (request === null) {
      const headers = { 'X-Request-Id': this.context.nextRequestId() };
      return problemResponse({ ...PROBLEMS.contentTooLarge, headers });
    }
    // A reload can have come while a middleware ran.
    const { latest } = this.#line;
    latest.start();
    return sendFetch(latest.context, request, exchange?.signal ?? call.req.raw.signal, exchange);
  }

  get #sites(): readonly MountedSite[] {
    return [...this.context.sites.values()];
  }

  /** Sends the request to the app, with its middleware, that got the agent's message. */
  async #respondToAgent(
    head: IncomingRequestHead,
    init: RequestInit,
    callApp: CallApp | null,
  ): Promise<Response> {
    const { prefix = '', target, ...received } = head;
    const mounted = callApp === null ? head : { ...received, target: prefix + target };
    const called = new Request(toFetchUrl(mounted), { ...init, headers: toFieldPairs(mounted.headers) });
    const environment = { incoming: { socket: { remoteAddress: head.peerAddress } } };
    return callApp === null ? this.fetch(called, environment) : callApp(called, environment);
  }
}

/** Variable of Hono's context that holds a {@link GatewayMount}. */
export const MOUNT = 'waygate';

export interface GatewayMount {
  readonly gateway: Gateway;
  /** Path of the app that mounts the gateway: `/`, `/api`, or with parameters. */
  readonly path: string;
}

type Sites = RequestContext['sites'];

function mountSites(parts: SharedParts, before?: Sites): Sites {
  const { options } = parts;
  const mounted = attemptEach(options.sites, (site) => {
    const settings = readMountedSiteSettings(site, options);
    return new MountedSite(parts, settings, before?.get(settings.name));
  });
  return new Map(mounted.map((site) => [site.settings.name, site]));
}

/** @param next the site of its name after a reload */
function replaceSite(site: MountedSite, next: MountedSite | undefined): void {
  void site.retire(next);
  if (site.agents !== null && site.agents !== next?.agents) endQuestions(site.agents.questions);
  if (next?.caching && isSameData(site.settings.inputs.responses, next.settings.inputs.responses)) return;
  // The site's server is asked by another name, with other fields, or for another public address. Another site can have its URL.
  site.isOutdated = true;
  const caching = next?.caching ?? site.caching;
  for (const { snapshot } of [site.runtime, ...(next === undefined ? [] : [next.runtime])])
    if (snapshot !== null) void caching?.purgeTags(snapshot, [EVERYTHING], 'hard');
}
