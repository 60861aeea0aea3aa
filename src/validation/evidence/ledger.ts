import { type Json, type JsonObject, matchesExample } from '../../json.ts';
import { createLru } from '../../memoize.ts';
import type { ServedRoute } from '../../openapi/index.ts';
import { isCoreRule } from '../request/core-rules.ts';
import type { ParameterRule } from '../request/result.ts';
import type { OperationArgument } from '../request/validator.ts';
import { fingerprintDefinition } from './argument-definition.ts';
import type { Outcome, RuleAgreement } from './origin-verdict.ts';

/**
 * Whether requests are validated, and which invalid ones are rejected:
 * - `off`: no request is validated.
 * - `observe`: invalid requests are forwarded, and the result is compared with the site's response.
 * - `enforce`: a request is rejected if it violates a rule that is known to hold at the site ({@link RuleStatus}).
 * - `strict`: a request is rejected by every rule of the document that the site has not contradicted.
 */
export type ValidationMode = 'off' | 'observe' | 'enforce' | 'strict';

export function rejectsRequests(mode: ValidationMode): boolean {
  return mode === 'enforce' || mode === 'strict';
}

/** A rule of one definition of an argument in one namespace. All operations with that definition share it. */
export interface RuleKey {
  readonly namespace: string;
  /**
   * `core` for an argument of WordPress itself (`core-rules.json`). Plugins often sanitise an argument of a list by themselves,
   * and leave the same argument of a write to WordPress, so the others are counted by what their operation does.
   */
  readonly use: 'core' | 'read' | 'write';
  /** Name of the argument; empty for the request as a whole. */
  readonly param: string;
  /** Hash of the argument's definition ({@link fingerprintDefinition}); empty for the request as a whole. */
  readonly fingerprint: string;
  /** WordPress's error code, or `required`. */
  readonly rule: string;
}

/**
 * Evidence for a rule:
 * - `core`: the rule belongs to WordPress itself, and was compared with a real WordPress.
 * - `confirmed`: the site has refused a request by this rule.
 * - `suspended`: the site has accepted a request that violates the rule. The rule is ignored.
 * - `unknown`: the site has not been seen to apply the rule. An index does not show how a plugin sanitises its arguments.
 */
export type RuleStatus = 'core' | 'confirmed' | 'suspended' | 'unknown';

/** One in so many refusals by a rule is forwarded all the same, so that the site's response tells whether the rule still holds. */
export const SAMPLED_REFUSALS = 100;

/** A rule, and how often the site agreed with it. */
export class LedgerEntry {
  readonly key: RuleKey;
  /** Requests that the site refused by this rule. */
  agreed = 0;
  /** Requests that violate the rule, and that the site accepted. */
  disagreed = 0;
  #unsampled = 0;

  constructor(key: RuleKey) {
    this.key = key;
  }

  /** One contradiction suspends a rule, until the document declares another definition. */
  get status(): RuleStatus {
    if (this.disagreed > 0) return 'suspended';
    if (this.key.use === 'core') return 'core';
    return this.agreed > 0 ? 'confirmed' : 'unknown';
  }

  /** Whether the site is known to apply the rule. */
  get isKnown(): boolean {
    return this.status === 'core' || this.status === 'confirmed';
  }

  /** Counts a refusal. Returns whether it is in the sample, and so forwarded. */
  countRefusal(): boolean {
    this.#unsampled = (this.#unsampled + 1) % SAMPLED_REFUSALS;
    return this.#unsampled === 0;
  }

  /**
   * Counts the site's verdict on a request that violates the rule. Only the site's own response is one, so a client can neither
   * confirm nor suspend a rule.
   *
   * @returns whether it suspends the rule
   */
  learn(agreement: RuleAgreement): boolean {
    const wasSuspended = this.disagreed > 0;
    if (agreement !== 'undecided') this[agreement] += 1;
    return !wasSuspended && this.disagreed > 0;
  }
}

/** Entries in memory. They are of what documents have declared, and codes of rules are WordPress's, so a site needs hundreds. */
const MAX_ENTRIES = 10_000;

/** Evidence for the rules of one site's arguments. */
export class Ledger {
  readonly #entries = createLru<LedgerEntry>(MAX_ENTRIES);
  /** Validated requests since the start, by the outcome of the comparison with the site's response. */
  readonly outcomes: Record<Outcome | 'not_forwarded', number> = {
    ...{ accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 },
    not_forwarded: 0,
  };

  /** Entries with evidence. */
  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()].filter(({ agreed, disagreed }) => agreed + disagreed > 0);
  }

  /** @param argument the argument of the rule; `undefined` for a rule of the request as a whole */
  find(
    {
      method,
      route,
    }: { readonly method: string; readonly route: Pick<ServedRoute, 'namespace' | 'pattern'> },
    rule: ParameterRule,
    argument: OperationArgument | undefined,
  ): LedgerEntry {
    const use = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    return this.#getEntry({
      namespace: route.namespace,
      use: isCoreRule({ method, route: route.pattern }, rule, argument) ? 'core' : use,
      param: rule.param,
      fingerprint: argument === undefined ? '' : fingerprintDefinition(argument.schema),
      rule: rule.rule,
    });
  }

  #getEntry(key: RuleKey): LedgerEntry {
    const { fingerprint, namespace, param, rule, use } = key;
    const text = [namespace, use, fingerprint, rule, param].join(' ');
    const entry = this.#entries.get(text) ?? new LedgerEntry(key);
    this.#entries.set(text, entry);
    return entry;
  }

  /** The stored form of the ledger. */
  toRecords(): JsonObject {
    return { rules: this.entries.map(({ agreed, disagreed, key }) => ({ ...key, agreed, disagreed })) };
  }

  /**
   * Adds stored counts.
   *
   * @returns false if they are malformed, in which case nothing is added
   */
  restore({ rules }: JsonObject): boolean {
    if (!Array.isArray(rules)) return false;
    for (const stored of rules as readonly Json[]) {
      if (!matchesExample(stored, RULE_EXAMPLE)) continue;
      const { agreed, disagreed, fingerprint, namespace, param, rule } = stored;
      const use = (['core', 'read', 'write'] as const).find((each) => each === stored.use);
      if (use === undefined) continue;
      const entry = this.#getEntry({ namespace, use, param, fingerprint, rule });
      entry.agreed += agreed;
      entry.disagreed += disagreed;
    }
    return true;
  }
}

const RULE_EXAMPLE = {
  ...{ namespace: '', use: '', param: '', fingerprint: '', rule: '' },
  ...{ agreed: 0, disagreed: 0 },
};
