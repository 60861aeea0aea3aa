/**
 * The interface is open to clients with a JSON Web Token of your identity provider (OIDC) and closed to others.
 * Cost of a hit: a signature is verified.
 */
import type { MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import { HTTPException } from 'hono/http-exception';
import { jwk } from 'hono/jwk';
import { defineGateway } from 'waygate';

const { ISSUER = 'https://id.example.com', SITE_URL = 'https://www.example.com' } = process.env;
const MAX_AGE = 600_000;

/** Reads the keys of the issuer, and again after ten minutes: `jwks_uri` of `jwk` would read them for each request. */
async function readKeys() {
  const discovered = await fetch(`${ISSUER}/.well-known/openid-configuration`);
  if (!discovered.ok) throw new HTTPException(503);
  const { jwks_uri: address } = await discovered.json();
  const { keys } = await (await fetch(address)).json();
  return { keys, readAt: Date.now() };
}
let known: ReturnType<typeof readKeys> | undefined;

async function getKeys() {
  const read = await known?.catch(() => undefined);
  if (read === undefined || Date.now() - read.readAt > MAX_AGE) known = readKeys();
  return (await (known ?? readKeys())).keys;
}

/** The site gets no token, so everyone with a valid one shares the stored responses. */
const dropToken: MiddlewareHandler = async ({ req }, next) => {
  const headers = new Headers(req.raw.headers);
  headers.delete('authorization');
  req.raw = new Request(req.raw, { headers });
  await next();
};

export default defineGateway({
  sites: [{ url: SITE_URL }],
  cache: { store: 'memory' },
  app(app) {
    const verify = jwk({ keys: getKeys, alg: ['RS256'], verification: { iss: ISSUER, aud: 'api' } });
    // Health checks of the gateway need no token; its other operations have one of their own.
    app.use('*', except('/-/*', verify, dropToken));
  },
});
