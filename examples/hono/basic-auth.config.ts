/**
 * A second password, by HTTP Basic, in front of wp-login.php and /wp-admin. Everything else stays as it is.
 * Cost of a hit: none, as pages of visitors match no pattern.
 */
import { basicAuth } from 'hono/basic-auth';
import { defineGateway } from 'waygate';

const { LOGIN_PASSWORD = '', SITE_URL = 'https://www.example.com' } = process.env;
if (LOGIN_PASSWORD.length < 12) throw new Error('LOGIN_PASSWORD needs 12 characters');

/** Anywhere in the path, and in any case: servers take //wp-login.php and /WP-LOGIN.PHP for the same. */
const PATHS = '/:path{.*[wW][pP]-([lL][oO][gG][iI][nN]|[aA][dD][mM][iI][nN]).*}';
/** Pages of visitors use these two. */
const PUBLIC = /^\/wp-admin\/admin-(?:ajax|post)\.php$/;

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    const authenticate = basicAuth({ username: 'editors', password: LOGIN_PASSWORD });
    app.use(PATHS, async (c, next) => {
      if (PUBLIC.test(c.req.path)) return next();
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
