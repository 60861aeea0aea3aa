/**
 * Redirects old addresses, and serves /api/posts/5 from /wp-json/wp/v2/posts/5.
 * Cost of a hit: each request passes through Hono and is resolved.
 */
import { defineGateway, resolveRequest } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.use('*', async (c, next) => {
      const { path } = await resolveRequest(c);
      const [, folder, rest = ''] = /^\/(news|api)\/(.+)$/s.exec(path) ?? [];
      if (path === '/feed.xml') return c.redirect('/feed/', 301);
      if (folder === 'news') return c.redirect(`/blog/${encodeURIComponent(rest)}`, 301);
      if (folder === 'api') {
        const url = new URL(c.req.url);
        url.pathname = `/wp-json/wp/v2/${rest}`;
        c.req.raw = new Request(url, c.req.raw);
      }
      return next();
    });
  },
});
