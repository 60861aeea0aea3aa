import { isJsonObject, type JsonObject } from '../json.ts';
import { APPLICATION_PASSWORDS } from '../model/authentication.ts';
import type { ComponentRegistry } from './component-registry.ts';

/**
 * The ways to say who is asking, all optional: what an operation needs depends on the caller's rights and is not in the
 * index. Cookie and nonce go together and every site has them; application passwords only where the index offers them.
 */
export function createSecurity(authentication: JsonObject, components: ComponentRegistry): readonly JsonObject[] {
  const schemes = Object.entries(authentication).flatMap(([name, offer]) =>
    name === APPLICATION_PASSWORDS ? [applicationPassword(offer)] : [],
  );
  const passwords = schemes.map((scheme) => {
    components.sharedComponent('securitySchemes', 'applicationPassword', scheme);
    return { applicationPassword: [] };
  });
  components.sharedComponent('securitySchemes', 'cookie', COOKIE_SCHEME);
  components.sharedComponent('securitySchemes', 'nonce', NONCE_SCHEME);
  return [{}, ...passwords, { cookie: [], nonce: [] }];
}

function applicationPassword(offer: unknown): JsonObject {
  const endpoints = isJsonObject(offer) ? offer['endpoints'] : undefined;
  const address = isJsonObject(endpoints) ? endpoints['authorization'] : undefined;
  const where = typeof address === 'string' ? ` Made at ${address}.` : '';
  return {
    type: 'http',
    scheme: 'basic',
    description: `A user name and an application password of theirs.${where}`,
  };
}

const COOKIE_SCHEME: JsonObject = {
  type: 'apiKey',
  in: 'cookie',
  name: 'wordpress_logged_in',
  description: 'The cookie of a logged-in user; the site appends a hash of its own to the name.',
};

const NONCE_SCHEME: JsonObject = {
  type: 'apiKey',
  in: 'header',
  name: 'X-WP-Nonce',
  description: 'The nonce that makes the cookie count, from a page of the site.',
};
