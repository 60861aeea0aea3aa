import type { Hono } from 'hono';
import { ConfigurationError } from '../../base/errors.ts';
import { type Gateway, listMounts } from '../gateway.ts';

/** An app that contains a gateway: its own, or a Hono app in which it is mounted. The package has the declarations of this file. */
export interface ServedApp extends Pick<Hono, 'routes'> {
  fetch(request: Request, environment: object): Response | Promise<Response>;
}

export interface Served {
  readonly gateway: Gateway;
  /** Gets every request; `null` for a gateway without middleware and routes of a user. */
  readonly app: ServedApp | null;
}

/** Finds the gateway of an app. @throws {ConfigurationError} when there is none, or there are several */
export function findServed(app: ServedApp): Served {
  const [mount, ...others] = listMounts(app);
  if (mount === undefined) {
    throw new ConfigurationError('serve: the app contains no gateway. Add one: app.route("/", gateway.app).');
  }
  const { gateway } = mount;
  if (others.some((other) => other.gateway !== gateway)) {
    throw new ConfigurationError(
      'serve: the app contains several gateways. Give all sites to one: each has its own path or hosts.',
    );
  }
  return { gateway, app: app === gateway.app && !gateway.hasOuterRoutes ? null : app };
}
