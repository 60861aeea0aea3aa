import { parseAddressGlob } from '../../../base/glob.ts';
import type { AccessOptions, LimitRule, Rate } from '../../../base/option-types.ts';
import type { Clock, Environment, Log } from '../../../base/ports.ts';
import type { Problem } from '../../exchange/problem.ts';
import type { RouteTarget } from '../../router/target.ts';
import { NetworkBudget, type NetworkLimits } from '../../upstream/network-budget.ts';
import { createNetworkCheck } from '../../upstream/networks.ts';
import type { SiteLimitsInput } from '../settings.ts';
import type { ResolvedRequest } from '../snapshot/snapshot.ts';

interface LimitPolicy {
  /** In metrics and the log: `client`, `rule-1`. */
  readonly name: string;
  readonly budget: NetworkBudget;
}

/** Milliseconds between log lines about limited clients, which can be many. */
const LOG_INTERVAL = 60_000;

type RuleInput = Pick<RouteTarget, 'method' | 'names'>;

function createRuleMatcher({ match: patterns, methods }: LimitRule): (request: RuleInput) => boolean {
  const globs = (typeof patterns === 'string' ? [patterns] : patterns).map(parseAddressGlob);
  return ({ method, names }) =>
    methods?.includes(method) !== false && globs.some(({ matches }) => names.some(matches));
}

/** The first rule that matches replaces the limit of all requests. */
export class SiteLimits {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #own: LimitPolicy | null;
  readonly #rules: readonly {
    readonly matches: (request: RuleInput) => boolean;
    readonly policy: LimitPolicy | null;
  }[];
  readonly #agentPath: string | null;
  readonly refusals: Map<string, number> = new Map();
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor({ agentPath, client = null, rules = [] }: SiteLimitsInput, { clock, log }: Environment) {
    const toPolicy = (rate: Rate, name: string): LimitPolicy | null =>
      rate && { name, budget: new NetworkBudget(rate, clock) };
    this.#clock = clock;
    this.#log = log;
    this.#agentPath = agentPath;
    this.#own = toPolicy(client, 'client');
    this.#rules = rules.map((rule, at) => ({
      matches: createRuleMatcher(rule),
      policy: toPolicy(rule.client, `rule-${at + 1}`),
    }));
  }

  admit(resolved: ResolvedRequest, method: string, client: string): Problem | null {
    return this.#admit(this.#toRuleInput(resolved, method), client);
  }

  /** @returns `null` for the gateway's own documents, which no rule matches */
  #toRuleInput(resolved: ResolvedRequest, method: string): RuleInput | null {
    if (resolved.kind !== 'own') return resolved.target;
    const path = resolved.target.kind === 'mcp' ? this.#agentPath : null;
    return path === null ? null : { method, names: [path.toLowerCase()] };
  }

  admitParts(parts: readonly RuleInput[], client: string): Problem | null {
    for (const part of parts) {
      const problem = this.#admit(part, client);
      if (problem !== null) return problem;
    }
    return null;
  }

  #admit(input: RuleInput | null, client: string): Problem | null {
    const rule = input && this.#rules.find(({ matches }) => matches(input));
    const policy = rule ? rule.policy : this.#own;
    if (policy === null) return null;
    if (policy.budget.take(client)) return null;
    const now = this.#clock.now();
    const { end, network } = policy.budget.find(client);
    this.refusals.set(policy.name, (this.refusals.get(policy.name) ?? 0) + 1);
    if (Math.abs(now - this.#loggedAt) >= LOG_INTERVAL) {
      this.#loggedAt = now;
      this.#log.warn({ policy: policy.name, who: network }, 'a rate limit is exceeded');
    }
    const seconds = Math.max(1, Math.ceil((end - now) / 1_000));
    return {
      status: 429,
      code: 'gateway_rate_limited',
      message: `Too many requests from this client. Try again in ${seconds} s.`,
      data: { policies: [policy.name] },
      headers: { 'retry-after': String(seconds) },
    };
  }
}

type AccessCheck = (address: string) => boolean;

/** Networks that are served. `null` for all. */
export interface SiteAccess {
  readonly clients: AccessCheck | null;
  readonly admin: AccessCheck | null;
}

export function createSiteAccess({ admin = [], allow = [], deny = [] }: AccessOptions = {}): SiteAccess {
  const isAllowed = allow.length === 0 ? () => true : createNetworkCheck(allow);
  const isDenied = createNetworkCheck(deny);
  const isLimited = allow.length > 0 || deny.length > 0;
  return {
    clients: isLimited ? (address) => !isDenied(address) && isAllowed(address) : null,
    admin: admin.length === 0 ? null : createNetworkCheck(admin),
  };
}

/** Wrong tokens of a network in a quarter of an hour. */
const GUESSES: NetworkLimits = { ofNetwork: 10, window: 15 * 60 * 1000 };

/** Limits guesses of a secret by network. The right one passes: an operator can share the network. */
export class TokenAttempts {
  readonly #wrong: NetworkBudget;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wrong = new NetworkBudget(GUESSES, clock);
  }

  /** @returns seconds until the next attempt is answered; 0 if this one is */
  recordWrong(client: string): number {
    if (this.#wrong.take(client)) return 0;
    return Math.ceil((this.#wrong.find(client).end - this.#clock.now()) / 1000);
  }

  check(client: string, isRight: boolean, wrong: Problem): Problem | null {
    if (isRight) return null;
    const wait = this.recordWrong(client);
    if (wait === 0) return wrong;
    const message = `Too many wrong tokens from this network. Send the right one, or wait ${wait} s.`;
    const headers = { 'retry-after': String(wait) };
    return { status: 429, code: 'gateway_too_many_attempts', message, headers };
  }
}
