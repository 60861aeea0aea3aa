import type { IncomingMessage } from 'node:http';
import { findTargetHandler } from 'hono/utils/handler';
import { getPath } from 'hono/utils/url';
import { ConfigurationError } from '../errors.ts';
import { type Gateway, type GatewayMount, listGateways } from '../gateway/gateway.ts';
import { READABLE_HOST } from '../gateway/server-exchange.ts';
import { memoizeByString } from '../memoize.ts';
import type { ServedApp } from './served-app.ts';

/** A target whose path is the same in a URL, e.g. `/blog/a?b=%20`, but not `/blog/../a`, `//a` and `/%61`. */
const PLAIN_TARGET = /^(?:\/[\w~-][\w~.-]*)*\/?(?:\?[^#]*)?$/;

/** The gateways in an app, and which of them gets a request that nothing else in the app sees. */
export class ServedGateways {
  readonly gateways: readonly Gateway[];
  readonly app: ServedApp;

  constructor(app: ServedApp) {
    this.app = app;
    this.gateways = [...new Set(listGateways(app).map(({ gateway }) => gateway))];
    if (this.gateways.length === 0) {
      throw new ConfigurationError(
        'serve: the app contains no gateway. Add one: app.route("/", gateway.app).',
      );
    }
  }

  /** Finds the gateway that gets every request because the app contains nothing else; `null` if the app has to decide. */
  findDirect(): GatewayMount | null {
    this.app.router.match('GET', '/');
    const { routes } = this.app;
    const [mount] = listGateways({ routes });
    const isOnlyHandler =
      this.gateways.length === 1 &&
      mount?.prefix === '' &&
      routes.every(({ handler }) => this.#isOwn(handler));
    return isOnlyHandler ? mount : null;
  }

  findAny(): GatewayMount | null {
    return listGateways(this.app)[0] ?? null;
  }

  /** Finds the gateway that gets a request which no middleware or other route sees; `null` if the app has to decide. */
  find(method: string, target: string): GatewayMount | null {
    const path = this.#readPath(target);
    return path === null ? null : this.#findByPath(`${method === 'HEAD' ? 'GET' : method} ${path}`) || null;
  }

  /** Finds the gateway of a method and path, e.g. `GET /about`; false if the app has to decide. */
  readonly #findByPath = memoizeByString((request): GatewayMount | false => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const matched = this.app.router.match(method, path)[0].map(([route]) => route[1]);
    if (!matched.every(({ handler }) => this.#isOwn(handler))) return false;
    const [mount] = listGateways({ routes: matched });
    return mount === undefined || /[:*{]/.test(mount.prefix) ? false : mount;
  });

  /** Reads the path by which the app finds routes; `null` if that is not certain. */
  #readPath(target: string): string | null {
    const isCertain = this.app.getPath === getPath && PLAIN_TARGET.test(target);
    return isCertain ? target.replace(/\?.*$/s, '') : null;
  }

  #isOwn(handler: Parameters<typeof findTargetHandler>[0]): boolean {
    const target = findTargetHandler(handler);
    return this.gateways.some((gateway) => gateway.handlers.has(target));
  }
}

/** `@hono/node-server` refuses targets and hosts that no URL can have. The gateway reads them as received. */
export function makeReadable(incoming: IncomingMessage): void {
  const { url = '/' } = incoming;
  const isAbsolute = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isAbsolute) {
    const [path = '', ...query] = url.split('?');
    const readable = [path.startsWith('/') ? path.replaceAll('\\', '/') : '/', ...query].join('?');
    incoming.url = URL.canParse(`http://localhost${readable}`) ? readable : '/';
  }
  const { host } = incoming.headers;
  if (host !== undefined && !READABLE_HOST.test(host)) incoming.headers.host = 'localhost';
}
