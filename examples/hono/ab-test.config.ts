/**
 * Half of the visitors of /landing get variant B. A cookie remembers it, and each variant has a stored response of its own.
 * Cost of a hit: a cookie is parsed and set.
 */
import { getCookie, setCookie } from 'hono/cookie';
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;

export default defineGateway({
  sites: [
    {
      url: SITE_URL,
      passthrough: true,
      cache: {
        harmlessCookies: ['variant'],
        rules: [{ match: '/landing*', keyHeaders: ['x-variant'], ttl: '5m' }],
      },
    },
  ],
  cache: { store: 'memory' },
  app(app) {
    app.use('/landing/*', async (c, next) => {
      const known = getCookie(c, 'variant');
      const variant = known === 'a' || known === 'b' ? known : Math.random() < 0.5 ? 'a' : 'b';
      const headers = new Headers(c.req.raw.headers);
      headers.set('x-variant', variant);
      c.req.raw = new Request(c.req.raw, { headers });
      await next();
      // After the store: no stored response has the cookie of a visitor.
      if (known !== variant)
        setCookie(c, 'variant', variant, { path: '/', maxAge: 2_592_000, sameSite: 'Lax' });
      c.header('cache-control', 'private, max-age=0');
    });
  },
});
