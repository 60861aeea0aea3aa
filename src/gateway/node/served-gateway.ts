import type { IncomingMessage } from 'node:http';
import { findTargetHandler } from 'hono/utils/handler';
import { getPath } from 'hono/utils/url';
import { ConfigurationError } from '../../base/errors.ts';
import { memoizeByString } from '../../base/memoize.ts';
import { type Gateway, type GatewayMount, listMounts } from '../gateway.ts';
import { READABLE_HOST } from '../server-exchange.ts';
import type { ServedApp } from './served-app.ts';

/** A target whose path is the same in a URL, e.g. `/blog/a?b=%20`, but not `/blog/../a`, `//a` and `/%61`. */
const PLAIN_TARGET = /^(?:\/[\w~-][\w~.-]*)*\/?(?:\?[^#]*)?$/;

/** The gateway in an app, and where it gets requests that nothing else in the app sees. */
export class ServedGateway {
  readonly app: ServedApp;
  readonly gateway: Gateway;
  /** The first of its mounts, for requests that the app cannot read. */
  readonly mount: GatewayMount;

  constructor(app: ServedApp) {
    const [mount, ...others] = listMounts(app);
    if (mount === undefined) {
      throw new ConfigurationError(
        'serve: the app contains no gateway. Add one: app.route("/", gateway.app).',
      );
    }
    if (others.some(({ gateway }) => gateway !== mount.gateway)) {
      throw new ConfigurationError(
        'serve: the app contains several gateways. Give all sites to one: each has its own path or hosts.',
      );
    }
    this.app = app;
    this.gateway = mount.gateway;
    this.mount = mount;
  }

  /** Finds the mount of a gateway that gets every request because the app contains nothing else; `null` if the app has to decide. */
  findDirect(): GatewayMount | null {
    this.app.router.match('GET', '/');
    const { routes } = this.app;
    const isAlone = this.mount.prefix === '' && routes.every(({ handler }) => this.#isOwn(handler));
    return isAlone ? this.mount : null;
  }

  /** Finds the mount for a request which no middleware or other route sees; `null` if the app has to decide. */
  find(method: string, target: string): GatewayMount | null {
    const path = this.#readPath(target);
    return path === null ? null : this.#findByPath(`${method === 'HEAD' ? 'GET' : method} ${path}`) || null;
  }

  /** Finds the mount of a method and path, e.g. `GET /about`; false if the app has to decide. */
  readonly #findByPath = memoizeByString((request): GatewayMount | false => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const matched = this.app.router.match(method, path)[0].map(([route]) => route[1]);
    if (!matched.every(({ handler }) => this.#isOwn(handler))) return false;
    const [mount] = listMounts({ routes: matched });
    return mount === undefined || /[:*{]/.test(mount.prefix) ? false : mount;
  });

  /** Reads the path by which the app finds routes; `null` if that is not certain. */
  #readPath(target: string): string | null {
    const isCertain = this.app.getPath === getPath && PLAIN_TARGET.test(target);
    return isCertain ? target.replace(/\?.*$/s, '') : null;
  }

  #isOwn(handler: Parameters<typeof findTargetHandler>[0]): boolean {
    return this.gateway.handlers.has(findTargetHandler(handler));
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
