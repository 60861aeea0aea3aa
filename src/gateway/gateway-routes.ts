import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cloneRawRequest } from 'hono/request';
import { findTargetHandler } from 'hono/utils/handler';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { hasField } from '../base/http/fields.ts';
import { getOrCreate } from '../base/memoize.ts';
import { readRequestHead } from './exchange/web-request.ts';
import {
  type AgentExchange,
  findExchange,
  type PreparedRequest,
  type ServerExchange,
} from './server-exchange.ts';
import type { Operations, OperationsEnv } from './surfaces.ts';

export interface Call {
  readonly prepared: PreparedRequest;
  readonly request: Request;
  readonly exchange: ServerExchange | AgentExchange | null;
}

interface RouteHandlers {
  prepare(head: IncomingRequestHead, exchange: Call['exchange']): PreparedRequest;
  respond(call: Call): Promise<Response>;
  readonly mountOperations: Operations['mount'];
}

/** Hono finds routes by a normalised URL; host and target as received decide what a request means. */
export function createGatewayRoutes(gateway: RouteHandlers): {
  readonly routes: Hono<OperationsEnv>;
  readonly handlers: ReadonlySet<unknown>;
  readonly proxy: MiddlewareHandler;
} {
  const routes = new Hono<OperationsEnv>();
  const own = new Set<unknown>();
  const calls = new WeakMap<Context, Promise<Call>>();
  const getCall = (context: Context): Promise<Call> =>
    getOrCreate(calls, context, () => readCall(context, gateway.prepare));
  const proxy: MiddlewareHandler = async (context) => gateway.respond(await getCall(context));
  routes.use('/-/*', async (context, next) => {
    const call = await getCall(context);
    const { prepared } = call;
    if (prepared.kind !== 'own' || prepared.adminHead === undefined) return gateway.respond(call);
    context.set('head', prepared.adminHead);
    const respond = async (): Promise<Response> => {
      await next();
      return context.res;
    };
    return gateway.respond({ ...call, prepared: { ...prepared, respond } });
  });
  gateway.mountOperations(routes);
  routes.all('*', proxy);
  for (const { handler } of routes.routes) own.add(findTargetHandler(handler));
  return { routes, handlers: own, proxy };
}

async function readCall(context: Context, prepare: RouteHandlers['prepare']): Promise<Call> {
  const { req } = context;
  const exchange = findExchange(context.env);
  if (exchange?.prepared != null && exchange.request !== null) {
    const { prepared, request } = exchange;
    return { prepared, request, exchange };
  }
  // A middleware that has read the content leaves its bytes with the context.
  const request = req.raw.bodyUsed ? await cloneRawRequest(req) : req.raw;
  const prepared = prepare(readHead(context, request, exchange), exchange);
  return { prepared, request, exchange };
}

/** Reads the head as received, if a server tells and no middleware has changed it. */
export function readHead(
  context: Context,
  request: Request,
  exchange: Call['exchange'],
  basePath: string = context.req.matchedRoutes[context.req.routeIndex]?.basePath ?? '/',
): IncomingRequestHead {
  // Node's stream of the content stays as it is, for the transport.
  const isReceived = exchange !== null && request === exchange.request;
  const seen = readRequestHead(
    request,
    readPeerAddress(context),
    isReceived ? hasField(exchange.head.headers, 'transfer-encoding') : request.body !== null,
  );
  const ofExchange = exchange?.request?.url === request.url ? exchange.head.target : null;
  const received = exchange === null ? findReceivedTarget(context, request) : ofExchange;
  const target = received ?? seen.target;
  const prefix = readPrefix(context, basePath);
  const mounted = prefix === '' ? { target } : { target: dropPrefix(target, prefix, seen.target), prefix };
  if (exchange === null) return { ...seen, ...mounted };
  const { head } = exchange;
  const { method } = request;
  const isUnchanged = isReceived && hasSameFields(request, exchange.requestFields);
  return isUnchanged ? { ...head, ...mounted } : { ...head, method, headers: seen.headers, ...mounted };
}

function readPrefix({ req }: Context, base: string): string {
  return base === '/' || base === '' ? '' : req.path.split('/', base.split('/').length).join('/');
}

function findMessage({ env }: Context): object | null {
  const incoming: unknown = typeof env === 'object' && env !== null ? Reflect.get(env, 'incoming') : null;
  return typeof incoming === 'object' ? incoming : null;
}

function readPeerAddress(context: Context): string {
  const socket: unknown = Reflect.get(findMessage(context) ?? {}, 'socket');
  const isOpen = typeof socket === 'object' && socket !== null && 'remoteAddress' in socket;
  return isOpen && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : '';
}

/** The target that `@hono/node-server` has received, with dot segments; `null` if it is another request's. */
function findReceivedTarget(context: Context, { url }: Request): string | null {
  const target: unknown = Reflect.get(findMessage(context) ?? {}, 'url');
  if (typeof target !== 'string' || !target.startsWith('/')) return null;
  const absolute = new URL(url).origin + target;
  return URL.canParse(absolute) && new URL(absolute).href === new URL(url).href ? target : null;
}

function dropPrefix(target: string, prefix: string, normalised: string): string {
  const end = target.charAt(prefix.length);
  const isLiteral = target.startsWith(prefix) && (end === '' || end === '/' || end === '?');
  const segments = prefix.split('/').length - 1;
  const rest = isLiteral
    ? target.slice(prefix.length)
    : normalised.replace(new RegExp(`^(?:/[^/?]*){${segments}}`), '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function hasSameFields({ headers }: Request, fields: readonly string[]): boolean {
  const received = new Headers();
  for (let at = 0; at + 1 < fields.length; at += 2) received.append(fields[at] ?? '', fields[at + 1] ?? '');
  return JSON.stringify([...received]) === JSON.stringify([...headers]);
}
