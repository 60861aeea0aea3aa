import type { JsonObject } from '../json.ts';
import { APPLICATION_PASSWORD_SCHEME } from '../model/authentication.ts';
import type { ComponentRegistry } from './component-registry.ts';

/**
 * Creates the security requirements of a document and registers their schemes. Anonymous access is always listed, because
 * the index does not state which operations need credentials. A cookie with a nonce is listed for every site, application
 * passwords if the index offers them.
 */
export function createSecurityRequirements(
  authentication: JsonObject,
  components: ComponentRegistry,
): readonly JsonObject[] {
  const passwords = Object.hasOwn(authentication, APPLICATION_PASSWORD_SCHEME)
    ? [{ applicationPassword: [] }]
    : [];
  if (passwords.length > 0) {
    components.registerComponent('securitySchemes', 'applicationPassword', APPLICATION_PASSWORD);
  }
  components.registerComponent('securitySchemes', 'cookie', COOKIE_SCHEME);
  components.registerComponent('securitySchemes', 'nonce', NONCE_SCHEME);
  return [{}, ...passwords, { cookie: [], nonce: [] }];
}

const APPLICATION_PASSWORD: JsonObject = {
  type: 'http',
  scheme: 'basic',
  description: 'A user name and an application password of that user, who creates it in the profile.',
};

const COOKIE_SCHEME: JsonObject = {
  type: 'apiKey',
  in: 'cookie',
  name: 'wordpress_logged_in',
  description: 'The cookie of a logged-in user; the site appends a hash to the name.',
};

const NONCE_SCHEME: JsonObject = {
  type: 'apiKey',
  in: 'header',
  name: 'X-WP-Nonce',
  description: 'The nonce that a page of the site provides; without it the site ignores the cookie.',
};
