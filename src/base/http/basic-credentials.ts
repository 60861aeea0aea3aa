import { ConfigurationError } from '../errors.ts';

export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** In UTF-8 (RFC 7617 §2.1). @throws {ConfigurationError} for a colon, without the credentials */
export function formatBasicCredentials({ user, password }: BasicCredentials): string {
  if (user.includes(':')) {
    throw new ConfigurationError('The user name contains a colon, which HTTP Basic does not allow.');
  }
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** Decodes user and password to bytes, as PHP does: it skips characters that aren't base64. */
export function decodeBasicPair(parameters: string): string {
  const characters = parameters.replace(/[^A-Za-z0-9+/]/g, '');
  return atob(characters.length % 4 === 1 ? characters.slice(0, -1) : characters);
}

/** Without the password; empty for other credentials. A request can have many kilobytes of them. */
export function readBasicUser(authorization: string): string {
  const [, token = ''] = /^Basic +(.+)$/i.exec(authorization) ?? [];
  const [user = '', ...password] = decodeBasicPair(token.slice(0, 100)).split(':');
  return password.length === 0 ? '' : user;
}

/** @throws {ConfigurationError} when a part is missing, without the credentials */
export function parseCredentials(text: string): { user: string; password: string } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) {
    throw new ConfigurationError('--auth (or WAYGATE_AUTH) must be user:application-password');
  }
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
