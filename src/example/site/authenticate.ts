import { decodeByteString } from '../../php/byte-string.ts';
import { isEmail } from '../../validation/wordpress/formats.ts';
import { refuse } from './answers.ts';
import type { SiteError } from './declare.ts';
import type { DemoUser, User } from './users.ts';

export type Authentication =
  | { readonly ok: true; readonly user: User | null }
  | { readonly ok: false; readonly error: SiteError };

const NOBODY: Authentication = { ok: true, user: null };

/** Application passwords (wp_authenticate_application_password). Other schemes than Basic are nobody's here. */
export function authenticate(authorization: string | null, users: readonly DemoUser[]): Authentication {
  const credentials = readBasic(authorization);
  if (credentials === null) return NOBODY;
  const { name, password } = credentials;
  const known = users.find(({ login, email }) => [login, email].includes(name.toLowerCase()));
  if (known === undefined) {
    const [code, message] = isEmail(name) ? UNKNOWN.email : UNKNOWN.login;
    return refused(code, message);
  }
  if (chunkless(known.password) !== chunkless(password)) {
    return refused('incorrect_password', 'The provided password is an invalid application password.');
  }
  const { password: _, ...user } = known;
  return { ok: true, user };
}

const UNKNOWN = {
  login: [
    'invalid_username',
    '<strong>Error:</strong> Unknown username. Check again or try your email address.',
  ],
  email: [
    'invalid_email',
    '<strong>Error:</strong> Unknown email address. Check again or try your username.',
  ],
} as const;

function refused(code: string, message: string): Authentication {
  return { ok: false, error: refuse(401, code, message) };
}

/** Application passwords are shown in groups; all but letters and digits is dropped. */
function chunkless(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}

/** RFC 7617 */
function readBasic(header: string | null): { readonly name: string; readonly password: string } | null {
  const token = /^basic +([a-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1];
  if (token === undefined) return null;
  let pair: string;
  try {
    pair = decodeByteString(atob(token));
  } catch {
    return null;
  }
  const colon = pair.indexOf(':');
  return colon < 0 ? null : { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
