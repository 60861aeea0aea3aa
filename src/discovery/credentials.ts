import { ConfigurationError } from '../errors.ts';
import type { DiscoverOptions } from './options.ts';

/** What is sent with every request, and what only the given origin gets to see. */
export interface Credentials {
  readonly everywhere: readonly (readonly [string, string])[];
  readonly atHome: readonly (readonly [string, string])[];
}

/** Headers that hold no secret. Any other may be a key, whatever its name, and stays at its origin. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

const USUAL: readonly (readonly [string, string])[] = [
  ['accept', 'application/json, text/html;q=0.5, */*;q=0.1'],
  // Some firewalls refuse the names that HTTP libraries go by.
  ['user-agent', 'Mozilla/5.0 (compatible; waygate)'],
];

/** Sorts headers by who may see them. Throws a `ConfigurationError`, without their values, where they are none. */
export function toCredentials(
  auth: DiscoverOptions['auth'],
  headers: Readonly<Record<string, string>>,
): Credentials {
  const given = Object.entries(headers).map(([name, value]) => checked(name, value));
  const basic = auth === undefined ? [] : [['authorization', basicAuth(auth)] as const];
  const harmless = given.filter(([name]) => HARMLESS.has(name));
  return {
    everywhere: [...USUAL.filter(([name]) => !harmless.some(([other]) => other === name)), ...harmless],
    // `auth` speaks for itself: an Authorization header beside it would make two.
    atHome: [
      ...given.filter(([name]) => !HARMLESS.has(name) && !(name === 'authorization' && auth !== undefined)),
      ...basic,
    ],
  };
}

function checked(name: string, value: string): readonly [string, string] {
  try {
    return [name.toLowerCase(), new Headers([[name, value]]).get(name) ?? ''];
  } catch {
    throw new ConfigurationError(
      `The header ${JSON.stringify(name.slice(0, 60))} has a name or a value that HTTP does not allow.`,
    );
  }
}

/** RFC 7617 §2.1: the user and the password in UTF-8; the user holds no colon. */
function basicAuth({ user, password }: { readonly user: string; readonly password: string }): string {
  if (user.includes(':')) throw new ConfigurationError('A user name cannot hold a colon in HTTP Basic.');
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
