/**
 * People sign in at your identity provider (OIDC) before wp-admin, wp-login.php, and the reference pages.
 * Cost of a hit: none, as these pages aren't stored and other requests match no pattern.
 */
import { initOidcAuthMiddleware, oidcAuthMiddleware, processOAuthCallback } from '@hono/oidc-auth';
import { defineGateway } from 'waygate';

const { SITE_URL = 'https://www.example.com', PUBLIC_URL = 'https://www.example.com' } = process.env;
// The middleware reads them. The secret signs sessions and has 32 characters or more.
for (const name of ['OIDC_AUTH_SECRET', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'])
  if (!process.env[name]) throw new Error(`${name} is not set`);

/** Anywhere in the path, and in any case: servers take //wp-login.php and /WP-LOGIN.PHP for the same. */
const LOGIN = '/:path{.*[wW][pP]-([lL][oO][gG][iI][nN]|[aA][dD][mM][iI][nN]).*}';
/** Pages of visitors use these two. */
const PUBLIC = /^\/wp-admin\/admin-(?:ajax|post)\.php$/;

export default defineGateway({
  // The session is the gateway's: the site doesn't get its cookie, and everyone shares the stored responses.
  sites: [{ url: SITE_URL, passthrough: true, cache: { ignoreCookies: ['oidc-auth'] } }],
  cache: { store: 'memory' },
  app(app) {
    const configure = initOidcAuthMiddleware({
      OIDC_SCOPES: 'openid email',
      // Register this address at the provider. Behind a proxy with TLS, requests have another one.
      OIDC_REDIRECT_URI: `${PUBLIC_URL}/oidc/callback`,
      OIDC_AUTH_EXTERNAL_URL: PUBLIC_URL,
    });
    const signIn = oidcAuthMiddleware();
    app.get('/oidc/callback', configure, processOAuthCallback);
    app.use('/docs/*', configure, signIn);
    app.use(LOGIN, configure, async (c, next) => (PUBLIC.test(c.req.path) ? next() : signIn(c, next)));
  },
});
