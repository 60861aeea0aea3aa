import { randomBytes } from 'node:crypto';
import type { createRemoteJWKSet, JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { formatBasicCredentials } from '../../base/http/basic-credentials.ts';
import { readLimitedBody } from '../../base/http/body.ts';
import { type Json, memberAt, parseJson } from '../../base/json.ts';
import type { McpOAuthOptions, McpOptions } from '../../base/option-types.ts';
import type { Clock, Log } from '../../base/ports.ts';
import { LEVELS, type Level } from '../../generator/openapi/operation-levels.ts';
import { NetworkBudget } from '../upstream/network-budget.ts';

const MAX_BYTES = 256 * 1024;
const TIMEOUT = 10_000;
/** Signatures with public keys. `none` has no key, and the key of `HS256` would be the issuer's public one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Seconds by which the issuer's clock can differ from this machine's. */
const CLOCK_TOLERANCE = 30;

export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly scopes_supported: readonly Level[];
}

/** Credentials of the site with what the token allows, or why there are none (RFC 6750 §3.1). */
type Authenticated =
  | { readonly authorization: string; readonly levels?: readonly Level[] }
  | { readonly error: TokenError | null };

/** `unavailable` if the issuer cannot say whether a token is valid. */
export type TokenError = 'insufficient_scope' | 'invalid_token' | 'unavailable';

const NO_CREDENTIALS: Authenticated = { error: null };
const INVALID: Authenticated = { error: 'invalid_token' };
const UNAVAILABLE: Authenticated = { error: 'unavailable' };

/** Milliseconds until the issuer is asked again for a key that it did not have. */
export const KEYS_INTERVAL = 5_000;
const WARNING_INTERVAL = 60_000;
/** Of jose, for what is wrong with a token. Others are the issuer's. */
const TOKEN_ERROR = /^ERR_(?:JWT_|JWS_|JOSE_ALG_|JOSE_NOT_|JWKS_(?:NO|MULTIPLE)_MATCHING)/;

type IssuerKeys = ReturnType<typeof createRemoteJWKSet>;

/** Tokens of the operator's issuer, which stand for credentials of the site (OAuth 2.1, resource server). */
class AgentTokens {
  readonly #options: McpOAuthOptions;
  readonly #fetch: typeof globalThis.fetch;
  readonly #warn: (message: string, error: unknown) => void;
  #keys: Promise<IssuerKeys> | undefined;

  constructor(options: McpOAuthOptions, fetch: typeof globalThis.fetch, log: Log, clock: Clock) {
    this.#options = options;
    this.#fetch = fetch;
    let warnedAt = Number.NEGATIVE_INFINITY;
    this.#warn = (message, err) => {
      if (clock.now() - warnedAt < WARNING_INTERVAL) return;
      warnedAt = clock.now();
      log.warn({ err }, message);
    };
  }

  get metadata(): ResourceMetadata {
    const { audience, issuer } = this.#options;
    return {
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: LEVELS,
    };
  }

  async authenticate(authorization: string): Promise<Authenticated> {
    const [, scheme = '', token = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
    // Credentials of the site are the site's to check.
    if (/^basic$/i.test(scheme)) return { authorization };
    if (!/^bearer$/i.test(scheme)) return NO_CREDENTIALS;
    const { audience, issuer, users } = this.#options;
    let isAskedLately = false;
    try {
      const { jwtVerify } = await import('jose');
      this.#keys ??= this.#findKeys().catch((error: unknown) => {
        this.#keys = undefined;
        throw error;
      });
      const keys = await this.#keys;
      isAskedLately = keys.coolingDown;
      const { payload } = await jwtVerify(token, keys, {
        audience,
        issuer,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE,
      });
      // A token bound to a key counts only with a proof of the key, which is not read here (RFC 9449).
      if (payload['cnf'] !== undefined) return INVALID;
      // Anyone can give an issuer another's address, as `sub` too, until it is verified.
      const { email, email_verified: isVerified, sub = '' } = payload;
      const isSubject = Object.hasOwn(users, sub) && !sub.includes('@');
      const name = isSubject ? sub : isVerified === true ? String(email) : '';
      if (!Object.hasOwn(users, name)) return INVALID;
      const levels = readLevels(payload);
      if (levels.length === 0) return { error: 'insufficient_scope' };
      const [user = '', ...password] = (users[name] ?? '').split(':');
      return { authorization: formatBasicCredentials({ user, password: password.join(':') }), levels };
    } catch (error) {
      const code = String(Object(error).code ?? '');
      // The issuer can have the key by now.
      if (code === 'ERR_JWKS_NO_MATCHING_KEY' && isAskedLately) return UNAVAILABLE;
      if (TOKEN_ERROR.test(code)) return INVALID;
      this.#warn(`${issuer} cannot be asked for the keys of its tokens, so agents get 503`, error);
      return UNAVAILABLE;
    }
  }

  async #findKeys(): Promise<IssuerKeys> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const { issuer } = this.#options;
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/$/, '');
    for (const url of [
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]) {
      const signal = AbortSignal.timeout(TIMEOUT);
      const response = await this.#fetch(url, { redirect: 'error', signal }).catch(() => undefined);
      const read = response?.ok ? await readLimitedBody(response, MAX_BYTES, signal) : undefined;
      const metadata = read ? parseJson(read.bytes()) : undefined;
      const keys = memberAt(metadata, 'jwks_uri');
      if (memberAt(metadata, 'issuer') !== issuer || typeof keys !== 'string') continue;
      return createRemoteJWKSet(new URL(keys), {
        [customFetch]: this.#fetch,
        cooldownDuration: KEYS_INTERVAL,
      });
    }
    throw new Error(`${issuer} has no metadata`);
  }
}

/** Scopes are levels: those of `scope` (RFC 9068), or `scp` of some issuers. A token without them only reads. */
function readLevels({ scope, scp }: JWTPayload): readonly Level[] {
  const stated = scope ?? scp ?? '';
  const scopes = (Array.isArray(stated) ? stated.map(String) : String(stated).split(' ')).filter(Boolean);
  if (scopes.length === 0) return ['read'];
  return LEVELS.filter(
    (level) => scopes.includes(level) || (level === 'draft' && scopes.includes('publish')),
  );
}

/** The questions of this process to people. An answer must reach the process that has asked. */
export interface AgentQuestions {
  /** Signs the questions, so that no answer comes before its question. */
  readonly key: Uint8Array;
  /** Answered questions until they expire: each counts once. */
  readonly answered: LRUCache<string, true>;
  /** Calls whose clients wait at an open stream, by the ids of their questions. */
  readonly waiting: LRUCache<string, WaitingCall>;
  /** Ends running calls of clients that cancel in a message of its own, by session and request. */
  readonly running: Map<string, (cancellation: Cancellation) => void>;
  /** For waiting calls. A stranger can make up logins, not networks. */
  readonly memory: NetworkBudget;
  /** Aborted when no answer can come any more: the gateway stops, or changes settings. */
  readonly end: AbortController;
}

/** Of the Model Context Protocol. */
interface Cancellation {
  readonly jsonrpc: '2.0';
  readonly method: 'notifications/cancelled';
  readonly params: { readonly requestId: string | number };
}

export interface WaitingCall {
  readonly authorization: string;
  readonly address: string;
  readonly bytes: number;
  /** Continues the call with the client's answer; `undefined` without one. */
  readonly answer: (given: Json | undefined) => void;
}

const ANSWER_TIME = 600_000;

export function createAgentQuestions(): AgentQuestions {
  const memory = new NetworkBudget({ ofNetwork: 4 * 1024 * 1024, ofAll: 16 * 1024 * 1024 });
  return {
    key: randomBytes(32),
    end: new AbortController(),
    answered: new LRUCache({ max: 10_000, ttl: ANSWER_TIME }),
    memory,
    running: new Map(),
    waiting: new LRUCache({
      ttl: ANSWER_TIME,
      ttlAutopurge: true,
      dispose({ address, answer, bytes }) {
        memory.giveBack(address, bytes);
        answer(undefined);
      },
    }),
  };
}

export function endQuestions({ end, waiting }: AgentQuestions): void {
  end.abort();
  waiting.clear();
}

export interface SiteAgents {
  readonly options: McpOptions;
  /** Tokens that agents can send; `null` if they send the site's credentials. */
  readonly tokens: AgentTokens | null;
  readonly questions: AgentQuestions;
}

export function createAgents(
  options: McpOptions,
  fetch: typeof globalThis.fetch | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): SiteAgents {
  const { oauth } = options;
  const tokens = oauth ? new AgentTokens(oauth, fetch ?? globalThis.fetch, log, clock) : null;
  return { options, tokens, questions: createAgentQuestions() };
}
