import { urlDecode } from '../../php/encoding.ts';
import { parseVariableName } from '../../php/query.ts';

/** Credentials of one request that are counted. A browser sends a login cookie of each WordPress below its domain. */
const MAX_CREDENTIALS = 16;
/** Stands for the credentials of all requests with more. */
const TOO_MANY: readonly string[] = ['too many credentials'];

const NONE: readonly string[] = [];

/**
 * Lists the credentials of a request: the values of `Authorization`, and WordPress's cookies of signed-in users. All of them are
 * counted, because WordPress uses the first that is valid. Each has one spelling, so that another one of the same credential has no
 * limit of its own.
 *
 * @param headers flat list name, value
 */
export function listCredentials(headers: readonly string[]): readonly string[] {
  let found: Set<string> | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      found ??= new Set();
      found.add(toAuthorization(value));
    } else if (name.length === 6 && name.toLowerCase() === 'cookie') {
      for (const pair of value.split(';')) {
        const login = readLogin(pair);
        if (login === null) continue;
        found ??= new Set();
        found.add(login);
      }
    }
  }
  if (found === undefined) return NONE;
  return found.size > MAX_CREDENTIALS ? TOO_MANY : [...found];
}

/** Reads a cookie as PHP does. Versions before 7.4.11 decode its name too. @returns `null` if it is not of a signed-in user */
function readLogin(pair: string): string | null {
  const equals = pair.indexOf('=');
  if (equals < 0 || !/[l%]/i.test(pair)) return null;
  const { name } = parseVariableName(pair.slice(0, equals).trimStart());
  return name.startsWith('wordpress_logged_in_')
    ? `${name}=${urlDecode(pair.slice(equals + 1).trim())}`
    : null;
}

/** An application password has 24 letters and digits. WordPress ignores all other characters (`wp_authenticate_application_password`). */
const APPLICATION_PASSWORD_LENGTH = 24;

/**
 * Returns the one spelling of an `Authorization`. An application password stands for itself, without the user: `sanitize_user()` reads
 * any number of names as the same.
 */
function toAuthorization(value: string): string {
  const [, scheme = '', parameters = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(value) ?? [];
  const credential = `${scheme.toLowerCase()} ${parameters}`;
  if (!credential.startsWith('basic ')) return credential;
  // PHP skips what is no character of base64, padding included, and a character that gives no whole byte.
  const characters = parameters.replace(/[^A-Za-z0-9+/]/g, '');
  const pair = atob(characters.length % 4 === 1 ? characters.slice(0, -1) : characters);
  const password = pair.slice(pair.indexOf(':') + 1).replace(/[^A-Za-z0-9]/g, '');
  return password.length >= APPLICATION_PASSWORD_LENGTH ? `password ${password}` : `basic ${pair}`;
}
