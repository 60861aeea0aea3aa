/**
 * Takes members out of JSON for clients without credentials. The stored response stays whole.
 * Cost of a hit: the body is parsed, written, hashed for its ETag and compressed again, so keep the pattern narrow.
 */
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;
const HIDDEN: ReadonlySet<string> = new Set(['email', 'internal_note']);

export default defineGateway({
  sites: [{ url: SITE_URL }],
  cache: { store: 'memory' },
  app(app) {
    // Both see the changed body: the tag of the stored one would name another.
    app.use('/wp-json/wp/v2/people/*', compress(), etag(), async (c, next) => {
      if (c.req.header('authorization') !== undefined || c.req.method !== 'GET') return next();
      const headers = new Headers(c.req.raw.headers);
      // The whole body is needed, as text.
      for (const name of ['if-none-match', 'if-modified-since', 'range']) headers.delete(name);
      headers.set('accept-encoding', 'identity');
      c.req.raw = new Request(c.req.raw, { headers });
      await next();
      if (!c.res.headers.get('content-type')?.includes('json')) return;
      const text = JSON.stringify(await c.res.json(), (name, value) =>
        HIDDEN.has(name) ? undefined : value,
      );
      const changed = new Response(text, c.res);
      for (const name of ['content-length', 'etag', 'last-modified', 'accept-ranges'])
        changed.headers.delete(name);
      changed.headers.append('vary', 'authorization');
      c.res = undefined;
      c.res = changed;
    });
  },
});
