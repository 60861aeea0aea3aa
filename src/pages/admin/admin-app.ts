import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { createSecretCheck } from '../../base/hash.ts';
import { readContent } from '../../base/http/body.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import type { Log } from '../../base/ports.ts';
import { shorten } from '../../base/text.ts';
import type { OperatedGateway, OperatorClient } from '../../gateway/report/operated-gateway.ts';
import type { OperatedSite } from '../../gateway/report/operated-site.ts';
import { type AdminHandler, PROBLEMS, type Problem, problemResponse } from '../../gateway/surfaces.ts';

export interface AdminEnv {
  Variables: {
    head: IncomingRequestHead;
    client: OperatorClient;
    isOperator?: true;
    body: Uint8Array;
    target?: string;
  };
}

export type AdminApp = Hono<AdminEnv>;

export type AdminCall = Context<AdminEnv>;

export function createAdminApp(
  gateway: OperatedGateway,
  addOperations: (app: AdminApp) => void,
  addPages: (app: AdminApp) => void = () => {},
): AdminApp {
  const app: AdminApp = new Hono();
  app.use(async (call, next) => {
    const client = gateway.readClient(call.get('head'));
    call.set('client', client);
    const { raw } = call.req;
    if (raw.body === null) return next();
    const release = gateway.reserveBody(client.address, maxBodyBytes(raw));
    if (release === null) return problemResponse(PROBLEMS.noMemory);
    try {
      return await next();
    } finally {
      release();
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
    gateway.log.error({ err: error }, 'the gateway failed to respond');
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
  return async (request, head) => root.fetch(request, { head });
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
export function createOperatorCheck({ attempts, log, token }: OperatedGateway): MiddlewareHandler<AdminEnv> {
  const isToken = createSecretCheck(token);

  function findProblem({ headers }: Request, client: string): Problem | null {
    if (token === '') return PROBLEMS.adminClosed;
    const sent = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (sent === undefined) return PROBLEMS.tokenMissing;
    return attempts.check(client, isToken(sent), PROBLEMS.tokenWrong);
  }

  return async (call, next) => {
    const { method, matchedRoutes, raw, routeIndex } = call.req;
    const { address: client } = call.get('client');
    const problem = findProblem(raw, client);
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

export function forSite(
  { sites }: OperatedGateway,
  respond: (site: OperatedSite, call: AdminCall) => Response | Promise<Response>,
): Handler<AdminEnv> {
  return (call) => {
    const site = sites.get(call.req.param('site') ?? call.req.query('site') ?? '');
    if (site !== undefined) return respond(site, call);
    const names = call.get('isOperator') ? ` Sites: ${[...sites.keys()].join(', ')}` : '';
    const message = `No site of this name is mounted.${names}`;
    return problemResponse({ status: 404, code: 'gateway_not_found', message });
  };
}
