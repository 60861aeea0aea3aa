import type { AccessOptions, LimitRule, SiteLimitOptions } from '../../config/option-types.ts';
import { ConfigurationError } from '../../errors.ts';
import type { Problem } from '../../exchange/problem.ts';
import { toClientNetwork } from '../../exchange/request-body-validator.ts';
import { parseRouteGlob } from '../../glob.ts';
import { digest } from '../../hash.ts';
import { decodeBasicPair } from '../../http/basic-credentials.ts';
import { memoizeByString } from '../../memoize.ts';
import { rawUrlDecode, urlDecode } from '../../php/encoding.ts';
import { parseVariableName } from '../../php/query.ts';
import type { Clock, Log } from '../../ports.ts';
import { createNetworkCheck } from '../../upstream/forwarded.ts';
import { inferNamespace } from '../../wordpress/tags.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { ResolvedRequest } from '../snapshot/snapshot.ts';
import { type Quota, type RateCount, RateCounts } from './rate-counts.ts';

type LimitSubject = 'client' | 'credential';

interface LimitPolicy extends Quota {
  /** In response fields, metrics and the log: `client`, `rule-1-client`. */
  readonly name: string;
  readonly subject: LimitSubject;
  /** Prefix of each key: policies of two sites can have the same name. */
  readonly keyPrefix: string;
  readonly member: string;
}

export interface LimitDecision {
  /** `RateLimit-Policy` and `RateLimit` for the response: a flat list name, value. */
  readonly fields: readonly string[];
  readonly problem: Problem | null;
}

/** Log lines about limited subjects in a minute: clients can have many addresses. */
const MAX_LINES = 30;
const MINUTE = 60_000;

export class GatewayLimits {
  readonly counts: RateCounts = new RateCounts();
  readonly clock: Clock;
  readonly #log: Log;
  #minute = 0;
  #lines = 0;

  constructor(clock: Clock, log: Log) {
    this.clock = clock;
    this.#log = log;
  }

  /**
   * @param kind `mcp` for messages of agents
   * @returns `null` without limits @throws {ConfigurationError} when a rate is invalid
   */
  create(options: SiteLimitOptions, { log, name, setting }: SiteSettings, kind = ''): SiteLimits | null {
    const [place, prefix] =
      kind === '' ? [`${setting}.limits`, ''] : [`${setting}.${kind}.limits`, `${kind}-`];
    const level = readLevel(options, place, prefix, name);
    return level && new SiteLimits(this, level, log);
  }

  /** The first of a subject in its window. @param log of its site */
  logLimited(log: Log, policy: string, who: string): void {
    const minute = Math.floor(this.clock.now() / MINUTE);
    if (minute !== this.#minute) this.#lines = 0;
    this.#minute = minute;
    this.#lines += 1;
    if (this.#lines > MAX_LINES) return;
    log.warn({ policy, who }, 'a rate limit is exceeded');
    if (this.#lines === MAX_LINES) this.#log.warn({}, 'further rate limits of this minute are not logged');
  }
}

const RATE = /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smhd])$/;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** E.g. `100/m` or `20/10s`; `null` for `off`. */
function parseRate(text: string, setting: string): Quota | null {
  if (text === 'off') return null;
  const [, requests, factor = '1', unit] = RATE.exec(text) ?? [];
  if (requests === undefined) {
    throw new ConfigurationError(
      `${setting}: ${JSON.stringify(text.slice(0, 40))} is not a rate such as 100/m or 20/10s, or off`,
    );
  }
  return { requests: Number(requests), window: Number(factor) * UNITS[unit as keyof typeof UNITS] };
}

const SUBJECTS: readonly LimitSubject[] = ['client', 'credential'];

/** Limits of all requests, and in their place those of the first rule that matches. */
interface LimitLevel {
  readonly own: readonly LimitPolicy[];
  readonly rules: readonly {
    readonly matches: (request: RuleInput) => boolean;
    readonly limits: readonly LimitPolicy[];
  }[];
}

function readLevel(
  options: SiteLimitOptions,
  setting: string,
  namePrefix: string,
  site: string,
): LimitLevel | null {
  const toPolicies = (
    rates: Pick<LimitRule, LimitSubject>,
    rule: string,
    place: string,
  ): readonly LimitPolicy[] =>
    SUBJECTS.flatMap((subject) => {
      const rate = rates[subject];
      const quota = rate === undefined ? null : parseRate(rate, `${place}.${subject}`);
      if (quota === null) return [];
      const name = `${namePrefix}${rule}${subject}`;
      const member = `"${name}";q=${quota.requests};w=${quota.window / 1_000}`;
      return [{ ...quota, name, subject, keyPrefix: `${site} ${name} `, member }];
    });
  const own = toPolicies(options, '', setting);
  const rules = (options.rules ?? []).map((rule, index) => {
    const kept = own.filter(({ subject }) => rule[subject] === undefined);
    const replaced = toPolicies(rule, `rule-${index + 1}-`, `${setting}.rules[${index}]`);
    return { matches: createRuleMatcher(rule), limits: [...kept, ...replaced] };
  });
  return own.length === 0 && rules.every(({ limits }) => limits.length === 0) ? null : { own, rules };
}

function findPolicies({ own, rules }: LimitLevel, request: RuleInput | null): readonly LimitPolicy[] {
  if (rules.length === 0 || request === null) return own;
  return rules.find(({ matches }) => matches(request))?.limits ?? own;
}

interface RuleInput {
  readonly method: string;
  readonly path: string;
  readonly namespace: string | null;
}

const collapseSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');

/** @returns `null` for the gateway's own documents, which no rule matches */
function toRuleInput(resolved: ResolvedRequest, method: string): RuleInput | null {
  if (resolved.kind === 'own') return null;
  if (resolved.kind === 'page') return { method, path: rawUrlDecode(resolved.target.path), namespace: null };
  const { match, target } = resolved;
  const namespace =
    match.kind === 'found' ? match.route.namespace : inferNamespace(collapseSlashes(target.route));
  return { method: target.method, path: target.route, namespace };
}

/** Other spellings of a path must not evade its limit: case and percent-encoding do not count. */
function createRuleMatcher({ match: patterns, methods }: LimitRule): (request: RuleInput) => boolean {
  const globs = (typeof patterns === 'string' ? [patterns] : patterns).map((glob) =>
    parseRouteGlob(glob.toLowerCase()),
  );
  const allowed = methods === undefined ? null : new Set(methods.map((method) => method.toUpperCase()));
  return ({ method, namespace, path }) => {
    if (allowed?.has(method) === false) return false;
    const lower = collapseSlashes(path.toLowerCase());
    return globs.some((glob) =>
      glob.isForRoutes ? glob.matches(lower) : namespace !== null && glob.matches(namespace.toLowerCase()),
    );
  };
}

export class SiteLimits {
  readonly #gateway: GatewayLimits;
  readonly #level: LimitLevel;
  readonly #log: Log;
  readonly refusals: Map<string, number> = new Map();

  constructor(gateway: GatewayLimits, level: LimitLevel, log: Log) {
    this.#gateway = gateway;
    this.#level = level;
    this.#log = log;
  }

  /** @param client IP address @returns `null` if no limit applies */
  admit(
    resolved: ResolvedRequest,
    method: string,
    headers: readonly string[],
    client: string,
  ): LimitDecision | null {
    return this.#admit(toRuleInput(resolved, method), headers, client);
  }

  admitParts(
    parts: readonly { readonly method: string; readonly address: string }[],
    headers: readonly string[],
    client: string,
  ): Problem | null {
    for (const { address, method } of parts) {
      const input = { method, path: address, namespace: inferNamespace(collapseSlashes(address)) };
      const problem = this.#admit(input, headers, client)?.problem ?? null;
      if (problem !== null) return problem;
    }
    return null;
  }

  #admit(input: RuleInput | null, headers: readonly string[], client: string): LimitDecision | null {
    const now = this.#gateway.clock.now();
    const limits = findPolicies(this.#level, input);
    const byCredential = limits.filter(({ subject }) => subject === 'credential');
    const applied = limits
      .filter(({ subject }) => subject === 'client')
      .map((policy) => this.#apply(policy, toClientNetwork(client), now));
    // A client past its limit must not fill the counts with made-up credentials.
    if (byCredential.length > 0 && applied.every(isWithin)) {
      // Keys of bounded length. The log shows their beginning.
      const credentials = listCredentials(headers).map((each) => digest(each).toString('base64url'));
      for (const policy of byCredential) {
        for (const credential of credentials) applied.push(this.#apply(policy, credential, now));
      }
    }
    if (applied.length === 0) return null;
    if (!applied.every(isWithin)) return this.#refuse(applied, now);
    for (const limit of applied) {
      limit.count.requests += 1;
      limit.remaining -= 1;
    }
    return { fields: formatFields(applied, now), problem: null };
  }

  #apply(policy: LimitPolicy, subject: string, now: number): AppliedLimit {
    const count = this.#gateway.counts.find(policy.keyPrefix + subject, policy, now);
    return { policy, subject, count, remaining: policy.requests - count.requests };
  }

  #refuse(applied: readonly AppliedLimit[], now: number): LimitDecision {
    const exceeded = applied.filter((limit) => !isWithin(limit));
    const fields = formatFields(applied, now);
    const seconds = Math.max(...exceeded.map(({ count }) => toSeconds(count.end - now)));
    for (const { count, policy, subject } of exceeded) {
      this.refusals.set(policy.name, (this.refusals.get(policy.name) ?? 0) + 1);
      count.refused += 1;
      const who = policy.subject === 'client' ? subject : `credential ${subject.slice(0, 8)}`;
      if (count.refused === 1) this.#gateway.logLimited(this.#log, policy.name, who);
    }
    const [{ policy } = { policy: undefined }] = exceeded;
    const by = policy?.subject === 'credential' ? 'with this credential' : 'from this client';
    const problem: Problem = {
      status: 429,
      code: 'gateway_rate_limited',
      message: `Too many requests ${by}. Try again in ${seconds} s.`,
      data: { policies: [...new Set(exceeded.map((limit) => limit.policy.name))] },
      headers: { 'retry-after': String(seconds) },
    };
    return { fields, problem };
  }
}

interface AppliedLimit {
  readonly policy: LimitPolicy;
  readonly subject: string;
  readonly count: RateCount;
  remaining: number;
}

function isWithin({ remaining }: AppliedLimit): boolean {
  return remaining > 0;
}

/** draft-ietf-httpapi-ratelimit-headers-10: quota, window, rest, and seconds until it is renewed. */
function formatFields(applied: readonly AppliedLimit[], now: number): readonly string[] {
  let policies = '';
  let limits = '';
  const byPolicy = new Map<LimitPolicy, AppliedLimit>();
  for (const limit of applied) {
    const known = byPolicy.get(limit.policy);
    if (known === undefined || limit.remaining < known.remaining) byPolicy.set(limit.policy, limit);
  }
  for (const { count, policy, remaining } of byPolicy.values()) {
    const separator = policies === '' ? '' : ', ';
    policies += separator + policy.member;
    limits += `${separator}"${policy.name}";r=${Math.max(0, remaining)};t=${toSeconds(count.end - now)}`;
  }
  return ['RateLimit-Policy', policies, 'RateLimit', limits];
}

function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}

export type AccessCheck = (address: string) => boolean;

/** @returns `null` if all networks are served @throws {ConfigurationError} for an invalid entry */
export function createAccessCheck(options: AccessOptions, setting: string): AccessCheck | null {
  const { allow = [], deny = [] } = options;
  if (allow.length === 0 && deny.length === 0) return null;
  const isAllowed = createNetworkCheck(allow, `${setting}.allow`);
  const isDenied = createNetworkCheck(deny, `${setting}.deny`);
  return memoizeByString((address) => !isDenied(address) && (allow.length === 0 || isAllowed(address)));
}

export function createAdminCheck({ admin = [] }: AccessOptions, setting: string): AccessCheck | null {
  return admin.length === 0 ? null : memoizeByString(createNetworkCheck(admin, `${setting}.admin`));
}

/** A browser sends a login cookie of each WordPress below its domain. */
const MAX_CREDENTIALS = 16;
const TOO_MANY: readonly string[] = ['too many credentials'];

const NONE: readonly string[] = [];

/** WordPress uses the first that is valid. Each has one spelling, so that others have no own limit. */
function listCredentials(headers: readonly string[]): readonly string[] {
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

/** Reads a cookie as PHP, which before 7.4.11 decodes the name. @returns `null` if it is no login */
function readLogin(pair: string): string | null {
  const equals = pair.indexOf('=');
  if (equals < 0 || !/[l%]/i.test(pair)) return null;
  const { name } = parseVariableName(pair.slice(0, equals).trimStart());
  return name.startsWith('wordpress_logged_in_')
    ? `${name}=${urlDecode(pair.slice(equals + 1).trim())}`
    : null;
}

/** WordPress ignores all other characters (`wp_authenticate_application_password`). */
const APPLICATION_PASSWORD_LENGTH = 24;

/** An application password stands without its user: `sanitize_user()` reads many names as the same. */
function toAuthorization(value: string): string {
  const [, scheme = '', parameters = ''] = /^(\S*)\s*(.*)$/s.exec(value.trim()) ?? [];
  const credential = `${scheme.toLowerCase()} ${parameters}`;
  if (!credential.startsWith('basic ')) return credential;
  const pair = decodeBasicPair(parameters);
  const password = pair.slice(pair.indexOf(':') + 1).replace(/[^A-Za-z0-9]/g, '');
  return password.length >= APPLICATION_PASSWORD_LENGTH ? `password ${password}` : `basic ${pair}`;
}
