/**
 * Adds header fields to requests and responses, and takes others away.
 * Cost of a hit: the head of the response is copied.
 */
import { secureHeaders } from 'hono/secure-headers';
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com' } = process.env;

export default defineGateway({
  // A field that the gateway doesn't know could identify a client. This one doesn't, and reaches the site with
  // requests that the store doesn't serve.
  sites: [{ url: SITE_URL, passthrough: true, cache: { harmlessHeaders: ['x-edge'] } }],
  cache: { store: 'memory' },
  app(app) {
    app.use('/blog/*', secureHeaders({ strictTransportSecurity: 'max-age=31536000' }), async (c, next) => {
      const headers = new Headers(c.req.raw.headers);
      headers.set('x-edge', '1');
      // A reload in a browser gets the stored response.
      headers.delete('cache-control');
      headers.delete('pragma');
      c.req.raw = new Request(c.req.raw, { headers });
      await next();
      c.header('x-powered-by', undefined);
      c.header('server', undefined);
      c.header('x-served-by', 'edge');
    });
  },
});
