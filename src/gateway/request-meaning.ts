import type { Context } from 'hono';
import { type PhpValue, parsePhpQuery, toSitePath } from '../base/php/request.ts';
import { type GatewayMount, MOUNT } from './gateway.ts';
import { readFetchHead } from './incoming-request.ts';
import { findRequestedSite } from './respond.ts';
import { OWN_FOLDER } from './router/target.ts';
import { RequestHeaders } from './upstream/request-headers.ts';

/** What a request means to the gateway and its site, whatever the spelling of its address. */
export interface RequestMeaning {
  /**
   * - `route`: the REST interface runs a route.
   * - `page`: the site responds with a page, a file or a script.
   * - `document`: the gateway responds with the reference, the OpenAPI document, or to an agent.
   * - `operation`: an operation of the gateway, below `/-/`.
   * - `refused`: no site has the address.
   */
  readonly kind: 'route' | 'page' | 'document' | 'operation' | 'refused';
  /** As configured, the first host, or `default`; `null` for none. */
  readonly site: string | null;
  /**
   * Path as web servers and PHP read it: decoded, in lower case, without `/index.php`, what follows a script,
   * and slashes that repeat or end it. `//wp-admin%2f` is `/wp-admin`, `/wp-login.php/x` is `/wp-login.php`.
   * A second script stays, as in `/a.php/wp-login.php`: servers differ in which one they run.
   */
  readonly path: string;
  /** The route in lower case, such as `/wp/v2/users`, also one that a subsite would run in a folder where none has answered. */
  readonly route: string | null;
  readonly operation: string | null;
  /** The method that WordPress runs, after `_method` and `X-HTTP-Method-Override`. */
  readonly method: string;
  readonly query: ReadonlyMap<string, PhpValue>;
}

/**
 * Resolves a request in a middleware of `app` as the gateway does after it.
 *
 * @example
 * import { defineGateway, resolveRequest } from 'waygate';
 *
 * export default defineGateway({
 *   sites: [{ url: 'https://www.example.com', passthrough: true }],
 *   app(app) {
 *     app.use('*', async (c, next) => {
 *       const { path } = await resolveRequest(c);
 *       return /\/xmlrpc\.php(?![\w-])/.test(path) ? c.text('XML-RPC is off.', 403) : next();
 *     });
 *   },
 * });
 */
export async function resolveRequest(context: Context): Promise<RequestMeaning> {
  const mount: GatewayMount | undefined = context.get(MOUNT);
  if (mount === undefined)
    throw new TypeError(
      'resolveRequest: call it in the `app` of a configuration, which a gateway comes after.',
    );
  const { context: gateway } = mount.gateway;
  const head = readFetchHead(context, context.req.raw, mount.path);
  const fields = new RequestHeaders(head, gateway.parts.trust);
  const site = findRequestedSite(gateway, head, fields);
  const [target = '', search = ''] = head.target.split(/\?(.*)/s);
  const unresolved = { site: null, route: null, operation: null, method: head.method };
  const query = parsePhpQuery(search);
  if (target.startsWith(OWN_FOLDER) && site?.ownsTarget(target) !== true)
    return { kind: 'operation', ...unresolved, path: toSitePath(target), query };
  mount.gateway.start();
  if (site?.runtime.snapshot === null) await site.runtime.waitForFirst();
  const snapshot = site?.runtime.snapshot;
  if (site == null || snapshot == null)
    return { kind: 'refused', ...unresolved, path: toSitePath(target), query };
  const { mountPath, name } = site.settings;
  const raw = target.slice(mountPath.length);
  const path = toSitePath(raw);
  const { operation, resolved } = site.targets.find(snapshot, head);
  if (resolved.kind === 'own') {
    const kind = /^(?:refused|not-found)$/.test(resolved.target.kind) ? 'refused' : 'document';
    return { kind, ...unresolved, site: name, path, query };
  }
  const { kind } = resolved;
  const { method, route } = resolved.target;
  return { kind, site: name, path, route: route?.toLowerCase() ?? null, operation, method, query };
}
