/**
 * Redirects old addresses, and serves /api/posts/5 from /wp-json/wp/v2/posts/5.
 * Cost of a hit: a redirect doesn't reach the cache; a rewritten request has one more URL.
 */
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.get('/news/:slug', (c) => c.redirect(`/blog/${encodeURIComponent(c.req.param('slug'))}`, 301));
    app.get('/feed.xml', (c) => c.redirect('/feed/', 301));
    app.use('/api/*', async (c, next) => {
      const url = new URL(c.req.url);
      url.pathname = url.pathname.replace(/^\/api\//, '/wp-json/wp/v2/');
      c.req.raw = new Request(url, c.req.raw);
      await next();
    });
  },
});
