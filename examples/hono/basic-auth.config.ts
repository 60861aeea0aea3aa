/**
 * A second password, by HTTP Basic, in front of wp-login.php and /wp-admin. Everything else stays as it is.
 * Cost of a hit: each request passes through Hono and is resolved.
 */
import { basicAuth } from 'hono/basic-auth';
import { defineGateway, resolveRequest } from 'waygate';

const { LOGIN_PASSWORD = '', SITE_URL = 'https://www.example.com' } = process.env;
if (LOGIN_PASSWORD.length < 12) throw new Error('LOGIN_PASSWORD needs 12 characters');

/** But for the two that pages of visitors use. */
const GUARDED = /\/(?:wp-login\.php|wp-admin(?!\/admin-(?:ajax|post)\.php$))(?![\w-])/;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    const authenticate = basicAuth({ username: 'editors', password: LOGIN_PASSWORD });
    app.use('*', async (c, next) => {
      if (!GUARDED.test((await resolveRequest(c)).path)) return next();
      return authenticate(c, async () => {
        // WordPress would take the credentials for an application password.
        const headers = new Headers(c.req.raw.headers);
        headers.delete('authorization');
        c.req.raw = new Request(c.req.raw, { headers });
        await next();
      });
    });
  },
});
