import { ConfigurationError } from '../errors.ts';

export interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Formats the value of `Authorization` for HTTP Basic, in UTF-8 (RFC 7617 §2.1).
 *
 * @throws {ConfigurationError} when the user contains a colon; the message does not contain the credentials
 */
export function formatBasicCredentials({ user, password }: BasicCredentials): string {
  if (user.includes(':')) {
    throw new ConfigurationError('The user name contains a colon, which HTTP Basic does not allow.');
  }
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
