import type { IncomingMessage } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { findTargetHandler } from 'hono/utils/handler';
import { ConfigurationError } from '../errors.ts';
import {
  type Gateway,
  type GatewayInternals,
  getGatewayInternals,
  listGateways,
} from '../gateway/gateway.ts';
import type { Platform } from '../gateway/handle.ts';
import type { RequestHandling } from '../gateway/server-exchange.ts';
import { getOrCreate } from '../memoize.ts';
import type { ServedApp } from './served-app.ts';

export interface Mount {
  readonly internals: GatewayInternals;
  readonly platform: Platform<Readable>;
  /** Empty, or a path such as `/api`. */
  readonly prefix: string;
}

/** The gateways in an app, and which of them gets a request that nothing else in the app sees. */
export class ServedGateways {
  /** Each once. */
  readonly gateways: readonly Gateway[];
  readonly #app: ServedApp;
  readonly #upstream: Platform<Readable>['upstream'];
  readonly #platforms = new Map<RequestHandling, Platform<Readable>>();
  /** Read once: Hono refuses more routes after the first request. */
  #mounts: readonly Mount[] | undefined;

  /** @throws {ConfigurationError} when there is none */
  constructor(app: ServedApp, upstream: Platform<Readable>['upstream']) {
    this.#app = app;
    this.#upstream = upstream;
    this.gateways = [...new Set(listGateways(app).map(({ gateway }) => gateway))];
    if (this.gateways.length === 0) {
      throw new ConfigurationError(
        'serve: the app contains no gateway. Add one: app.route("/", createGateway(…)).',
      );
    }
  }

  /** Lists the mounts if the app has no middleware or route besides, and thus need not see the requests; otherwise none. */
  listDirect(): readonly Mount[] {
    if (this.#mounts !== undefined) return this.#mounts;
    const { getPath, router, routes } = this.#app;
    router.match('GET', '/');
    const mounts = this.#listMounts(routes);
    const isDirect =
      routes.every(({ handler }) => this.#isOwn(handler)) &&
      mounts.every(({ prefix }) => !/[:*{]/.test(prefix)) &&
      (mounts.every(({ prefix }) => prefix === '') || readsPath(getPath));
    this.#mounts = isDirect ? mounts : [];
    return this.#mounts;
  }

  /** Finds the gateway that a target leads to by its first characters; `null` if the app has to decide. */
  findDirect(target: string): Mount | null {
    const path = target.split('?', 1)[0] ?? '';
    // What a URL normalises and Hono decodes may lead to another gateway.
    if (!path.startsWith('/') || /[%\\]|\/\./.test(path)) return null;
    return this.listDirect().find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? null;
  }

  /** Finds the gateway that gets the handshake of a WebSocket, which no middleware sees; `null` if one would have to. */
  findForUpgrade(target: string): Mount | null {
    if (!URL.canParse(`http://localhost${target}`)) return null;
    const path = this.#app.getPath(new Request(`http://localhost${target}`));
    const matched = this.#app.router.match('GET', path)[0].map(([route]) => route[1]);
    if (!matched.every(({ handler }) => this.#isOwn(handler))) return null;
    const [mount] = this.#listMounts(matched);
    return mount === undefined || /[:*{]/.test(mount.prefix) ? null : mount;
  }

  /** Returns what a gateway sends its requests with. */
  toPlatform(internals: RequestHandling): Platform<Readable> {
    return getOrCreate(this.#platforms, internals, ({ bodyMemory }) => {
      return { upstream: this.#upstream, bodyMemory };
    });
  }

  #listMounts(routes: Hono['routes']): readonly Mount[] {
    return listGateways({ routes }).map(({ gateway, prefix }) => {
      const internals = getGatewayInternals(gateway);
      return { internals, prefix, platform: this.toPlatform(internals) };
    });
  }

  #isOwn(handler: Parameters<typeof findTargetHandler>[0]): boolean {
    const target = findTargetHandler(handler);
    return this.gateways.some((gateway) => getGatewayInternals(gateway).handlers.has(target));
  }
}

/** Whether a function finds the path of a URL in the URL alone, as Hono does by default. */
function readsPath(getPath: ServedApp['getPath']): boolean {
  const probe = new Proxy(new Request('http://a.example.com:8080/b/c/?d=/e'), {
    get(request, name) {
      if (name !== 'url') throw new TypeError('The path depends on more than the URL.');
      return request.url;
    },
  });
  try {
    return getPath(probe) === '/b/c/';
  } catch {
    return false;
  }
}

/**
 * Makes a message readable for `@hono/node-server`, which refuses targets and hosts that no URL can have. The gateway reads the
 * message as it was received.
 */
export function makeReadable(incoming: IncomingMessage | Http2ServerRequest): void {
  const { url = '/' } = incoming;
  const isAbsolute = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isAbsolute) {
    const [path = '', ...query] = url.split('?');
    const readable = [path.startsWith('/') ? path.replaceAll('\\', '/') : '/', ...query].join('?');
    incoming.url = URL.canParse(`http://localhost${readable}`) ? readable : '/';
  }
  const name = incoming instanceof Http2ServerRequest ? ':authority' : 'host';
  const host = incoming.headers[name];
  if (typeof host === 'string' && !READABLE_HOST.test(host)) incoming.headers[name] = 'localhost';
}

const READABLE_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
