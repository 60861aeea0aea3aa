import { type CookieOptions, parseSigned, serialize, serializeSigned } from 'hono/utils/cookie';
import { LRUCache } from 'lru-cache';
import { computeHmac, digest } from '../../base/hash.ts';
import type { Clock } from '../../base/ports.ts';

/** Milliseconds from the sign-in to the end of a session. Use does not extend it. */
const SESSION_LIFETIME = 8 * 60 * 60 * 1000;

const MAX_CLOSED_SESSIONS = 1_000;

/**
 * Without `Path` a cookie is valid in the folder of its response (RFC 6265 §5.1.4): the console's, below any prefix of a proxy, known
 * or not. So a site at the same host doesn't get the cookie.
 */
const COOKIE: CookieOptions = { httpOnly: true, sameSite: 'Strict' };

export interface Session {
  readonly id: string;
  /** Identifies the session in the log; a hash, so that it cannot be used as one. */
  readonly name: string;
  readonly csrf: string;
  readonly expiresAt: number;
}

/** A session is a cookie signed with a key from the admin token. Gateways with the token accept it, this one until sign-out. */
export class Sessions {
  readonly #key: ReturnType<typeof computeHmac>;
  readonly #cookieName: string;
  readonly #closed = new LRUCache<string, true>({ max: MAX_CLOSED_SESSIONS });
  readonly #clock: Pick<Clock, 'now'>;

  constructor(token: string, clock: Pick<Clock, 'now'>) {
    this.#key = computeHmac(token, 'waygate console session');
    // Browsers send a cookie to every port of a host. Gateways there with the same token share the session.
    const suffix = computeHmac(token, 'waygate console cookie').toString('hex', 0, 4);
    this.#cookieName = `waygate_session_${suffix}`;
    this.#clock = clock;
  }

  async open(isSecure: boolean): Promise<{ readonly session: Session; readonly cookie: string }> {
    const id = crypto.randomUUID();
    const session = this.#toSession(id, this.#clock.now() + SESSION_LIFETIME);
    const options = { ...COOKIE, secure: isSecure, maxAge: SESSION_LIFETIME / 1000 };
    const value = `${id}.${session.expiresAt}`;
    const cookie = await serializeSigned(this.#cookieName, value, this.#key, options);
    return { session, cookie };
  }

  async read({ headers }: Request): Promise<Session | null> {
    const name = this.#cookieName;
    const value = (await parseSigned(headers.get('cookie') ?? '', this.#key, name))[name];
    if (typeof value !== 'string') return null;
    const [id = '', expiresAt = ''] = value.split('.');
    if (Number(expiresAt) <= this.#clock.now() || this.#closed.has(id)) return null;
    return this.#toSession(id, Number(expiresAt));
  }

  close({ id }: Session, isSecure: boolean): string {
    this.#closed.set(id, true);
    return serialize(this.#cookieName, '', { ...COOKIE, secure: isSecure, maxAge: 0 });
  }

  #toSession(id: string, expiresAt: number): Session {
    const name = digest(id).toString('hex', 0, 6);
    const csrf = computeHmac(this.#key, `${id}\ncsrf`).toString('hex', 0, 16);
    return { id, expiresAt, name, csrf };
  }
}
