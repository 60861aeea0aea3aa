/**
 * People sign in at your identity provider (OIDC) before wp-admin, wp-login.php, and the gateway's documents and tools for agents.
 * Cost of a hit: each request passes through Hono and is resolved.
 */
import { initOidcAuthMiddleware, oidcAuthMiddleware, processOAuthCallback } from '@hono/oidc-auth';
import { defineGateway, resolveRequest } from 'waygate';

const { SITE_URL = 'https://www.example.com', PUBLIC_URL = 'https://www.example.com' } = process.env;
// The middleware reads them. The secret signs sessions and has 32 characters or more.
for (const name of ['OIDC_AUTH_SECRET', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'])
  if (!process.env[name]) throw new Error(`${name} is not set`);

/** But for the two that pages of visitors use. */
const GUARDED = /\/(?:wp-login\.php|wp-admin(?!\/admin-(?:ajax|post)\.php$))(?![\w-])/;

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
    app.use('*', configure, async (c, next) => {
      const { kind, path } = await resolveRequest(c);
      return kind === 'document' || GUARDED.test(path) ? signIn(c, next) : next();
    });
  },
});
