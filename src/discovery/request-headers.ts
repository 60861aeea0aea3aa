import { ConfigurationError } from '../errors.ts';
import { formatBasicCredentials } from '../http/basic-credentials.ts';
import type { DiscoverOptions } from './options.ts';

type HeaderEntry = readonly [name: string, value: string];

/** The header fields of discovery requests, separated by the origins that receive them. */
export interface DiscoveryHeaders {
  /** Sent with every request. */
  readonly publicHeaders: readonly HeaderEntry[];
  /** Sent to the origin of the given address only. */
  readonly secretHeaders: readonly HeaderEntry[];
}

/** Names of header fields that contain no secret. Any other field may contain a key. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

const DEFAULT_HEADERS: readonly HeaderEntry[] = [
  ['accept', 'application/json, text/html;q=0.5, */*;q=0.1'],
  // Some firewalls reject the default User-Agent of HTTP libraries.
  ['user-agent', 'Mozilla/5.0 (compatible; waygate)'],
];

/**
 * Separates the configured headers into public and secret ones, and adds HTTP Basic credentials.
 *
 * @throws {ConfigurationError} when a name, value or user is invalid; the message does not contain the value
 */
export function createDiscoveryHeaders(
  auth: DiscoverOptions['auth'],
  headers: Readonly<Record<string, string>>,
): DiscoveryHeaders {
  const given = Object.entries(headers).map(([name, value]) => validateHeader(name, value));
  const basic = auth === undefined ? [] : [['authorization', formatBasicCredentials(auth)] as const];
  const shared = given.filter(([name]) => PUBLIC_NAMES.has(name));
  return {
    publicHeaders: [
      ...DEFAULT_HEADERS.filter(([name]) => !shared.some(([other]) => other === name)),
      ...shared,
    ],
    // `auth` replaces an Authorization header.
    secretHeaders: [
      ...given.filter(
        ([name]) => !PUBLIC_NAMES.has(name) && !(name === 'authorization' && auth !== undefined),
      ),
      ...basic,
    ],
  };
}

function validateHeader(name: string, value: string): HeaderEntry {
  try {
    return [name.toLowerCase(), new Headers([[name, value]]).get(name) ?? ''];
  } catch {
    throw new ConfigurationError(
      `The header ${JSON.stringify(name.slice(0, 60))} has a name or a value that HTTP does not allow.`,
    );
  }
}
