import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { DiscoveryError } from '../../base/errors.ts';
import { createSecretCheck } from '../../base/hash.ts';
import { readContent } from '../../base/http/body.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { endsWithin, type Log } from '../../base/ports.ts';
import { shorten } from '../../base/text.ts';
import type { CacheStore, SharedStoreState } from '../../gateway/cache/store.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../gateway/exchange/problem.ts';
import { type BodyMemory, BodyReservation } from '../../gateway/exchange/request-body-validator.ts';
import { readRequestHead } from '../../gateway/incoming-request.ts';
import { type Alerts, findUnreachableSince, isFault, readSiteState } from '../../gateway/report/remarks.ts';
import type { TokenAttempts } from '../../gateway/site/limiting/site-limits.ts';
import type { MountedSite, SharedParts } from '../../gateway/site/mounted-site.ts';
import type { AdminOptions } from '../../gateway/site/settings.ts';
import type { AdminHandler } from '../../gateway/surfaces.ts';

export interface AdminEnv {
  Variables: {
    head: IncomingRequestHead;
    client: AdminClient;
    isOperator?: true;
    body: Uint8Array;
    target?: string;
  };
}

export type AdminApp = Hono<AdminEnv>;

export type AdminCall = Context<AdminEnv>;

export interface AdminClient {
  readonly address: string;
  /** Addresses of one network count as one client. */
  readonly network: string;
  readonly protocol: 'http' | 'https';
}

export interface AdminContext {
  readonly token: string | undefined;
  readonly attempts: TokenAttempts;
  readonly log: Log;
  /** Limits bodies, which anybody can send to a webhook. */
  readonly bodyMemory: BodyMemory;
  readonly readClient: (head: IncomingRequestHead) => AdminClient;
}

export function createAdminApp(
  { bodyMemory, log, readClient }: AdminContext,
  addOperations: (app: AdminApp) => void,
  addPages: (app: AdminApp) => void = () => {},
): AdminApp {
  const app: AdminApp = new Hono();
  app.use(async (call, next) => {
    const client = readClient(call.get('head'));
    call.set('client', client);
    const { raw } = call.req;
    if (raw.body === null) return next();
    const memory = new BodyReservation(bodyMemory, client.address);
    try {
      return memory.grow(maxBodyBytes(raw)) ? await next() : problemResponse(PROBLEMS.noMemory);
    } finally {
      memory.release();
    }
  });
  addOperations(app);
  const operations = app.routes.filter(({ method }) => method === 'GET' || method === 'POST');
  for (const path of new Set(operations.map((each) => each.path))) {
    const methods = operations.flatMap((each) =>
      each.path === path ? [each.method === 'GET' ? 'GET, HEAD' : each.method] : [],
    );
    const allow = [...new Set(methods)].join(', ');
    const message = `This path allows ${allow} only.`;
    const problem: Problem = { status: 405, code: 'gateway_wrong_method', message, headers: { allow } };
    app.all(path, () => problemResponse(problem));
  }
  addPages(app);
  app.all('*', () => problemResponse(PROBLEMS.noSuchOperation));
  app.onError((error) => {
    log.error({ err: error }, 'the gateway failed to respond');
    return problemResponse(PROBLEMS.internalError);
  });
  return app;
}

export function createAdminHandler(app: AdminApp): AdminHandler {
  const root = new Hono<AdminEnv & { Bindings: { readonly head: IncomingRequestHead } }>({
    getPath: (_, options) => {
      const path = readOwnUrl(options?.env?.head ?? { target: '' }).pathname;
      return path.startsWith('/-/') ? path : '/-/?';
    },
  });
  root.use((call, next) => {
    call.set('head', call.env.head);
    return next();
  });
  root.route('/-/', app);
  return async (request, head = readRequestHead(request)) => root.fetch(request, { head });
}

export function readOwnUrl({ target }: Pick<IncomingRequestHead, 'target'>): URL {
  const base = 'http://gateway';
  return URL.canParse(target, base) ? new URL(target, base) : new URL(base);
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export function adminResponse(body: object, status = 200): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: JSON_HEADERS });
}

const MAX_BODY_BYTES: number = 1024 * 1024;

function maxBodyBytes({ headers }: Request): number {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Math.min(MAX_BODY_BYTES, Number(length)) : MAX_BODY_BYTES;
}

/** Reads a body with or without a length. Hono's `bodyLimit` copies a body without one. */
export function readBody(
  refuse: (call: AdminCall) => Response | Promise<Response>,
): MiddlewareHandler<AdminEnv> {
  return async (call, next) => {
    const { req } = call;
    let body: Uint8Array | null;
    try {
      body = await readContent(req.raw, MAX_BODY_BYTES);
    } catch {
      return problemResponse(PROBLEMS.badRequest);
    }
    if (body === null) return refuse(call);
    call.set('body', body);
    return next();
  };
}

export function readJsonObject(call: AdminCall): JsonObject | null {
  const value = parseJson(call.get('body'));
  return isJsonObject(value) ? value : null;
}

/** RFC 6750 §2.1. Hono's `bearerAuth` refuses tokens with characters such as `!`. */
export function createOperatorCheck(context: AdminContext): MiddlewareHandler<AdminEnv> {
  const { attempts, log, token = '' } = context;
  const isToken = createSecretCheck(token);

  function findProblem({ headers }: Request, network: string): Problem | null {
    if (token === '') return PROBLEMS.adminClosed;
    const sent = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (sent === undefined) return PROBLEMS.tokenMissing;
    return attempts.check(network, isToken(sent), PROBLEMS.tokenWrong);
  }

  return async (call, next) => {
    const { method, matchedRoutes, raw, routeIndex } = call.req;
    const { address: client, network } = call.get('client');
    const problem = findProblem(raw, network);
    if (problem === null) {
      call.set('isOperator', true);
      await next();
    } else call.res = problemResponse(problem);
    if (method !== 'POST') return;
    const action = matchedRoutes[routeIndex]?.path.replace(/^.*\/-\//, '') ?? '';
    const { status } = call.res;
    const result = status === 202 ? 'begun' : status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
    const who = problem === null ? 'bearer' : 'nobody';
    writeAuditLine(log, { who, client, action, target: call.get('target') ?? '', result });
  };
}

export interface AuditEntry {
  /** `session 4f1a09c2b7d3` (a hash), `bearer`, or `nobody` for a failed sign-in. */
  readonly who: string;
  readonly client: string;
  readonly action: string;
  readonly target: string;
  readonly result: 'done' | 'begun' | 'refused' | 'failed';
}

const MAX_TARGET_LENGTH = 300;

export function writeAuditLine(log: Log, { action, client, result, target, who }: AuditEntry): void {
  const line = shorten(target, MAX_TARGET_LENGTH).replaceAll('\n', ' ');
  const fields = { who, client, action, target: line, result };
  if (result === 'done' || result === 'begun') log.info(fields, 'operator action');
  else log.warn(fields, 'operator action');
}

export type MountedSites = ReadonlyMap<string, MountedSite>;

export function forSite(
  sites: MountedSites,
  respond: (site: MountedSite, call: AdminCall) => Response | Promise<Response>,
): Handler<AdminEnv> {
  return (call) => {
    const site = sites.get(call.req.param('site') ?? '');
    if (site !== undefined) return respond(site, call);
    const names = call.get('isOperator') ? ` Sites: ${[...sites.keys()].join(', ')}` : '';
    const message = `No site of this name is mounted.${names}`;
    return problemResponse({ status: 404, code: 'gateway_not_found', message });
  };
}

export interface SiteOperationsContext extends AdminContext, Pick<SharedParts, 'cache' | 'clock'> {
  readonly sites: MountedSites;
  readonly alerts: Alerts;
  readonly rediscover: () => Promise<void>;
  readonly reload: AdminOptions['reload'];
}

export function addHealthOperations(app: AdminApp, { cache, drain }: SharedParts, sites: MountedSites): void {
  app.get('/health', () => adminResponse({ status: 'alive' }));
  app.get('/ready', () => {
    if (drain.isDraining) return problemResponse(PROBLEMS.draining);
    const unread = [...sites.values()].filter(({ runtime }) => !runtime.isReady);
    if (unread.length > 0) return problemResponse(createNotReadyProblem(unread));
    const ofStore = cache === null ? null : describeSharedStore(cache.store);
    const details = [
      ...[...sites.values()].flatMap((site) => listReadinessDetails(site)),
      ...(ofStore === null ? [] : [ofStore]),
    ];
    return adminResponse({ status: 'ready', ...(details.length === 0 ? {} : { details }) });
  });
}

function listReadinessDetails(site: MountedSite): readonly object[] {
  const { failureSummary, snapshot } = site.runtime;
  const key = site.settings.name;
  const isProvisional = snapshot?.isProvisional === true;
  const circuit = site.circuits?.report();
  const since = findUnreachableSince(site);
  const messages = {
    'no-document': isProvisional && `${failureSummary ?? 'The site has not been read.'} ${PROVISIONAL}`,
    'state-unwritten': site.isStateFailing && STATE_MESSAGE,
    'not-read': !isProvisional && failureSummary && `The last discovery failed: ${failureSummary}`,
    unreachable: since !== null && `No connection to the site could be opened since ${toIso(since)}.`,
    'circuit-open':
      circuit?.reason && `The circuit breaker holds back requests to the site: ${circuit.reason}.`,
  };
  return Object.entries(messages).flatMap(([state, message]) =>
    message ? [{ site: key, state, message }] : [],
  );
}

export function describeSharedStore(
  store: CacheStore,
): { readonly state: string; readonly message: string } | null {
  const { remedy = null, state = 'connected' } = store.report().shared ?? {};
  if (state === 'connected') return null;
  const message = SHARED_STORE_MESSAGES[state] + (remedy === null ? '' : ` ${remedy}`);
  return { state: `cache-${state}`, message };
}

const SHARED_STORE_MESSAGES: Readonly<Record<Exclude<SharedStoreState, 'connected'>, string>> = {
  full: 'The shared cache store takes no new responses. What it has is served.',
  bypassed: 'The shared cache store cannot be used. Responses come from the sites.',
};

const STATE_MESSAGE =
  'The state of the site cannot be written, e.g. because the disk is full. A restart would lose it.';

const PROVISIONAL = 'Until it is read, requests are forwarded, and nothing is validated or stored.';

/** Everyone can read the reasons, so they contain no address and nothing that a site sent. */
function createNotReadyProblem(unread: readonly MountedSite[]): Problem {
  const reasons = unread.map(
    (site) => `${site.settings.name}: ${site.runtime.failureSummary ?? 'The site has not been read yet.'}`,
  );
  return {
    status: 503,
    code: 'gateway_not_ready',
    message: `A site cannot be served yet. ${reasons.join(' ')}`,
    headers: { 'retry-after': '1' },
  };
}

/** Milliseconds that an operator waits for a discovery, which then continues as `running`. */
const MAX_WAIT = 100;

export function addSiteOperations(app: AdminApp, context: SiteOperationsContext): void {
  const { clock, rediscover, reload, sites } = context;
  const check = createOperatorCheck(context);
  const describeAll = (): readonly object[] =>
    Array.from(sites.values(), (site) => describeSite(site, context));
  app.get('/sites', check, () => adminResponse({ sites: describeAll() }));
  const describeOne = forSite(sites, (site) => adminResponse(describeSite(site, context)));
  app.get('/sites/:site', check, describeOne);
  const describeRules = forSite(sites, (site) =>
    adminResponse({ site: site.settings.name, ...site.validation.createReport() }),
  );
  app.get('/sites/:site/validation', check, describeRules);
  app.post('/rediscover', check, async () => {
    if (!(await endsWithin(MAX_WAIT, rediscover(), clock)))
      return adminResponse({ sites: describeAll() }, 202);
    const hasFailed = [...sites.values()].some(({ runtime }) => runtime.lastDiscoveryError !== null);
    return adminResponse({ sites: describeAll() }, hasFailed ? 502 : 200);
  });
  if (reload !== undefined) {
    app.post('/reload', check, async () => {
      const result = await reload();
      return 'problems' in result
        ? problemResponse({ ...PROBLEMS.reloadRefused, data: { problems: [...result.problems] } })
        : adminResponse(result);
    });
  }
}

const toIso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

function describeSite(site: MountedSite, context: SiteOperationsContext): object {
  const { circuits, concurrency, runtime } = site;
  const { hosts, mountPath, name, url } = site.settings;
  const circuit = circuits?.report() ?? null;
  const state = readSiteState(site, context);
  const { lastDiscoveryError, lastDiscoveredAt, snapshot } = runtime.known;
  return {
    site: name,
    mount: mountPath === '' ? '/' : mountPath,
    ...(hosts.length === 0 ? {} : { hosts }),
    url,
    title: snapshot?.title ?? null,
    ready: runtime.isReady,
    state: {
      name: state.name,
      fault: isFault(state.name),
      since: toIso(state.since),
      remarks: state.remarks.map(({ remedy, text }) => ({ text, remedy })),
    },
    operations: snapshot?.operationCount ?? 0,
    discovery: {
      running: runtime.running !== null,
      lastRead: toIso(lastDiscoveredAt),
      fault: lastDiscoveryError === null ? null : lastDiscoveryError.message,
      reason: lastDiscoveryError instanceof DiscoveryError ? lastDiscoveryError.reason : null,
      diagnostics: snapshot?.diagnostics?.counts ?? null,
    },
    circuit: circuit && {
      ...circuit,
      unreachableSince: toIso(circuit.unreachableSince),
      failingSince: toIso(circuit.failingSince),
    },
    concurrency: concurrency.report(),
    validation: `/-/sites/${name}/validation`,
  };
}
