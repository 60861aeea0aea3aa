/**
 * Another service decides about each request for /members, as `auth_request` of nginx and `forward_auth` of Caddy have it.
 * Cost of a hit: each request passes through Hono and is resolved; one for /members also asks that service.
 */
import { defineGateway, resolveRequest } from 'waygate';

const { AUTH_URL = 'http://auth.example.com/verify', SITE_URL = 'https://www.example.com' } = process.env;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.use('*', async (c, next) => {
      const { headers: received, method, url } = c.req.raw;
      const headers = new Headers(received);
      // The site believes this field, so it's never the client's, whatever the address.
      headers.delete('x-user');
      const { path } = await resolveRequest(c);
      if (!/^\/members(?:\/|$)/.test(path)) {
        if (received.has('x-user')) c.req.raw = new Request(c.req.raw, { headers });
        return next();
      }
      const asked = new Headers({ 'x-forwarded-method': method, 'x-forwarded-uri': url });
      for (const name of ['authorization', 'cookie']) asked.set(name, received.get(name) ?? '');
      const signal = AbortSignal.timeout(2_000);
      const verdict = await fetch(AUTH_URL, { headers: asked, redirect: 'manual', signal }).catch(() => null);
      if (verdict === null) return c.text('The authentication service does not respond.', 503);
      // Its redirect to a sign-in page, for example.
      if (!verdict.ok) return new Response(verdict.body, verdict);
      await verdict.body?.cancel();
      // What the site sends for this user isn't stored for others.
      headers.set('x-user', verdict.headers.get('x-user') ?? '');
      c.req.raw = new Request(c.req.raw, { headers });
      await next();
    });
  },
});
