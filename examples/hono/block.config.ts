/**
 * Refuses xmlrpc.php, and hides the names of users from clients without credentials: the route of users, and ?author=1.
 * Cost of a hit: only the front page and its arguments pass through Hono.
 */
import type { MiddlewareHandler } from 'hono';
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;

const isSignedIn = (headers: Headers): boolean =>
  headers.has('authorization') || /wordpress_logged_in_/.test(headers.get('cookie') ?? '');

const hide: MiddlewareHandler = async (c, next) => {
  if (!isSignedIn(c.req.raw.headers)) return c.json({ code: 'rest_no_route' }, 404);
  await next();
};

/** A route may stand in the query too (rest_route), in which PHP reads `.` and a space as `_`. */
const hideInQuery: MiddlewareHandler = async (c, next) => {
  const { searchParams } = new URL(c.req.url);
  for (const [name, value] of searchParams) {
    const isUsers = /^rest[_. ]route/.test(name) && /wp\/v2\/users/i.test(value);
    if (isUsers || /^author(?:\[|$)/.test(name)) return hide(c, next);
  }
  await next();
};

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.all('/:path{.*xmlrpc.*}', (c) => c.text('XML-RPC is off.', 403));
    app.use('/:path{.*wp/v2/users.*}', hide);
    for (const path of ['/', '/index.php', '/wp-json']) app.use(path, hideInQuery);
  },
});
