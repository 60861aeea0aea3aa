import { type CookieOptions, parse, parseSigned, serialize, serializeSigned } from 'hono/utils/cookie';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports.ts';
import { computeHmac, createSecretCheck, digestText, encodeText, toHex } from './secrets.ts';

/** How the name of a session's cookie begins. */
const COOKIE_PREFIX = 'waygate_session_';

/** Milliseconds from the sign-in to the end of a session. Use does not extend it. */
export const SESSION_LIFETIME: number = 8 * 60 * 60 * 1000;

/** Sessions that were signed out and have not expired. */
const MAX_CLOSED_SESSIONS = 1_000;

/** A session of the console. */
export interface Session {
  readonly id: string;
  /** Identifies the session in the log; a hash, so that it cannot be used as one. */
  readonly name: string;
  /** Token that each form of the session sends. */
  readonly csrf: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Opens and verifies sessions. */
export interface Sessions {
  /** Opens a session. @returns the session, and the value of `Set-Cookie` */
  open(isSecure: boolean): Promise<{ readonly session: Session; readonly cookie: string }>;
  /** Whether a request has a cookie of these sessions, valid or not. */
  hasCookie(request: Request): Promise<boolean>;
  /** Reads the session of a request; `null` if it has none, or one that has ended. */
  read(request: Request): Promise<Session | null>;
  /** Ends a session. @returns the value of `Set-Cookie` */
  close(session: Session, isSecure: boolean): Promise<string>;
  /** Whether a session is still valid. */
  isOpen(session: Session): boolean;
  /** Signs a text for a session, so that nobody else can write it. */
  sign(session: Session, text: string): Promise<string>;
  /** Whether a text is one that was signed for the session. */
  verify(session: Session, text: string, signature: string): Promise<boolean>;
}

/**
 * Creates the sessions of one admin token. A session is a signed cookie, and nothing of it is stored: it survives a restart
 * and is valid on every gateway with the same token. The key of the signature is derived from the token, so another token
 * ends all sessions. A session that was signed out is refused by the gateway that it was signed out at.
 */
export function createSessions(token: string, clock: Pick<Clock, 'now'>): Sessions {
  const key = computeHmac(encodeText(token), 'waygate console session');
  const cookieName = nameCookie(token);
  const closed = new LRUCache<string, true>({ max: MAX_CLOSED_SESSIONS });

  const sign = async ({ id }: Pick<Session, 'id'>, text: string): Promise<string> =>
    toHex((await computeHmac(await key, `${id}\n${text}`)).subarray(0, 16));
  const isOpen = ({ expiresAt, id }: Pick<Session, 'id' | 'expiresAt'>): boolean =>
    expiresAt > clock.now() && !closed.has(id);
  const toSession = async (id: string, expiresAt: number): Promise<Session> => ({
    id,
    expiresAt,
    name: toHex((await digestText(id)).subarray(0, 6)),
    csrf: await sign({ id }, 'csrf'),
  });

  return {
    sign,
    isOpen,
    async open(isSecure) {
      const id = crypto.randomUUID();
      const session = await toSession(id, clock.now() + SESSION_LIFETIME);
      const options = { ...COOKIE, secure: isSecure, maxAge: SESSION_LIFETIME / 1000 };
      const value = `${id}.${session.expiresAt}`;
      const cookie = await serializeSigned(await cookieName, value, await key, options);
      return { session, cookie };
    },
    async hasCookie({ headers }) {
      const name = await cookieName;
      return Object.hasOwn(parse(headers.get('cookie') ?? '', name), name);
    },
    async read({ headers }) {
      const name = await cookieName;
      const value = (await parseSigned(headers.get('cookie') ?? '', await key, name))[name];
      if (typeof value !== 'string') return null;
      const [id = '', expiry = ''] = value.split('.');
      const expiresAt = Number(expiry);
      return isOpen({ id, expiresAt }) ? toSession(id, expiresAt) : null;
    },
    async close({ id }, isSecure) {
      closed.set(id, true);
      return serialize(await cookieName, '', { ...COOKIE, secure: isSecure, maxAge: 0 });
    },
    verify: async (session, text, signature) => createSecretCheck(await sign(session, text))(signature),
  };
}

/**
 * Names the cookie after the token. Browsers send a cookie to every port of a host, so gateways there with different tokens
 * need different names, and those with the same token share the session. The name is a hash of 32 bits, and reveals less
 * about the token than the signature in the cookie's value does.
 */
async function nameCookie(token: string): Promise<string> {
  const hash = await computeHmac(encodeText(token), 'waygate console cookie');
  return COOKIE_PREFIX + toHex(hash.subarray(0, 4));
}

/**
 * Without `Path` a cookie is valid in the folder of the response that sets it (RFC 6265 §5.1.4). That is the folder of the
 * console below any prefix of a proxy, known to the gateway or not. So the cookie is not sent to a site at the same host.
 */
const COOKIE: CookieOptions = { httpOnly: true, sameSite: 'Strict' };
