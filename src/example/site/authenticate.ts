import { decodeByteString } from '../../php/byte-string.ts';
import { isEmail } from '../../validation/wordpress/formats.ts';
import type { SiteError } from './declarations.ts';
import { restError } from './responses.ts';
import type { DemoUser, SiteUser } from './users.ts';

type Authentication =
  | { readonly ok: true; readonly user: SiteUser | null }
  | { readonly ok: false; readonly error: SiteError };

const ANONYMOUS: Authentication = { ok: true, user: null };

/** Checks an application password (wp_authenticate_application_password). Only the Basic scheme is supported. */
export function authenticate(authorization: string | null, users: readonly DemoUser[]): Authentication {
  const credentials = parseBasicCredentials(authorization);
  if (credentials === null) return ANONYMOUS;
  const { name, password } = credentials;
  const account = users.find(({ login, email }) => [login, email].includes(name.toLowerCase()));
  if (account === undefined) {
    const [code, message] = isEmail(name) ? UNKNOWN_USER_ERRORS.email : UNKNOWN_USER_ERRORS.login;
    return authenticationError(code, message);
  }
  if (normalizePassword(account.password) !== normalizePassword(password)) {
    return authenticationError(
      'incorrect_password',
      'The provided password is an invalid application password.',
    );
  }
  const { password: _, ...user } = account;
  return { ok: true, user };
}

const UNKNOWN_USER_ERRORS = {
  login: [
    'invalid_username',
    '<strong>Error:</strong> Unknown username. Check again or try your email address.',
  ],
  email: [
    'invalid_email',
    '<strong>Error:</strong> Unknown email address. Check again or try your username.',
  ],
} as const;

function authenticationError(code: string, message: string): Authentication {
  return { ok: false, error: restError(401, code, message) };
}

/** WordPress shows application passwords in groups, so only letters and digits count. */
function normalizePassword(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}

/** Parses HTTP Basic credentials (RFC 7617). */
function parseBasicCredentials(
  header: string | null,
): { readonly name: string; readonly password: string } | null {
  const token = /^basic +([a-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1];
  if (token === undefined) return null;
  let credentials: string;
  try {
    credentials = decodeByteString(atob(token));
  } catch {
    return null;
  }
  const colon = credentials.indexOf(':');
  return colon < 0 ? null : { name: credentials.slice(0, colon), password: credentials.slice(colon + 1) };
}
