import type { ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { ParameterRule } from '../request/result.ts';
import type { ResolveReference } from '../wordpress/schema.ts';
import { findArgumentDefinition, fingerprintDefinition } from './argument-definition.ts';
import { isCoreRule } from './core-rules.ts';
import type { Evidence, FingerprintLookup } from './evidence.ts';
import {
  isSuspended,
  type OperationStats,
  type OperatorDecision,
  type RuleStats,
  toRuleKey,
} from './operation-stats.ts';

/**
 * What is known about a rule at an operation:
 * - `core`: the rule belongs to WordPress itself, and was compared with a real WordPress.
 * - `confirmed`: the site has refused a request by this rule.
 * - `suspended`: the site has accepted a request that violates the rule. The rule is ignored.
 * - `unknown`: the site has not been seen to apply the rule. An index does not show how a plugin sanitises its arguments.
 */
export type RuleStatus = 'core' | 'confirmed' | 'suspended' | 'unknown';

/** The arguments that share evidence about their rules: those of one namespace with the same name and definition. */
export interface SharedDefinition {
  readonly namespace: string;
  /** Hash of the definition ({@link fingerprintDefinition}); empty for rules of the request as a whole. */
  readonly fingerprint: string;
  /** Plugins often sanitise an argument of a list by themselves, and leave the same argument of a write to WordPress. */
  readonly use: 'read' | 'write';
}

/**
 * The evidence about the rules of one site, shared by all arguments of a namespace with the same definition. A confirmation
 * at one operation counts for all that read, or for all that write. One contradiction suspends the rule for all of them;
 * after it, each operation needs a confirmation of its own.
 */
export interface RuleKnowledge {
  /** Changes whenever the status of a rule may have changed. */
  readonly version: number;
  /** Adopts the stats of a rule at one operation after each comparison that has changed them. */
  learn(definition: SharedDefinition, stats: RuleStats): void;
  /** @param own stats of the rule at the operation itself, from traffic and from a calibration */
  getStatus(definition: SharedDefinition, rule: ParameterRule, own: readonly RuleStats[]): LearnedStatus;
  /**
   * Replaces everything known by the stats of all operations, when a document or stored evidence is loaded.
   *
   * @param calibrated stats of a calibration. They confirm nothing that traffic has contradicted, unless the calibration
   * has evidence of a contradiction too, and so has probed each operation by itself.
   */
  restore(rules: Iterable<SharedRuleStats>, calibrated?: Iterable<SharedRuleStats>): void;
}

/** The stats of a rule at one operation, with the definition that shares them. */
export type SharedRuleStats = readonly [definition: SharedDefinition, stats: RuleStats];

/** The status of a rule by evidence alone. */
type LearnedStatus = Exclude<RuleStatus, 'core'>;

interface SharedRule {
  readonly confirmedUses: Set<SharedDefinition['use']>;
  isContradicted: boolean;
  /** The stats of all operations that have evidence about the rule. */
  readonly operations: Set<RuleStats>;
}

export function createRuleKnowledge(): RuleKnowledge {
  const byKey = new Map<string, SharedRule>();
  let version = 0;

  function getShared(key: string): SharedRule {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const created: SharedRule = { confirmedUses: new Set(), isContradicted: false, operations: new Set() };
    byKey.set(key, created);
    return created;
  }

  function restoreRule([definition, stats]: SharedRuleStats): void {
    const shared = getShared(toSharedKey(definition, stats));
    shared.operations.add(stats);
    // Stored confirmations are younger than the contradiction, so they remain.
    shared.isContradicted ||= isSuspended(stats);
    if (stats.confirmed > 0) shared.confirmedUses.add(definition.use);
  }

  return {
    get version() {
      return version;
    },
    learn(definition, stats) {
      const shared = getShared(toSharedKey(definition, stats));
      shared.operations.add(stats);
      if (isSuspended(stats) && !shared.isContradicted) {
        shared.isContradicted = true;
        version += 1;
        for (const each of shared.operations) each.confirmed = 0;
      }
      if (stats.confirmed === 0) return;
      if (shared.isContradicted || !shared.confirmedUses.has(definition.use)) version += 1;
      shared.confirmedUses.add(definition.use);
    },
    getStatus(definition, rule, own) {
      if (own.some(isSuspended)) return 'suspended';
      const shared = byKey.get(toSharedKey(definition, rule));
      if (shared === undefined) return 'unknown';
      if (shared.isContradicted) {
        return own.some(({ confirmed }) => confirmed > 0) ? 'confirmed' : 'suspended';
      }
      return shared.confirmedUses.has(definition.use) ? 'confirmed' : 'unknown';
    },
    restore(rules, calibrated = []) {
      byKey.clear();
      version += 1;
      for (const each of rules) restoreRule(each);
      const probed = [...calibrated];
      const contradicted = new Set(
        probed.filter(([, stats]) => isSuspended(stats)).map((each) => toSharedKey(...each)),
      );
      for (const each of probed) {
        const [, stats] = each;
        const key = toSharedKey(...each);
        // The contradiction may be younger than the calibration.
        if (byKey.get(key)?.isContradicted && !contradicted.has(key)) stats.confirmed = 0;
      }
      for (const each of probed) restoreRule(each);
    },
  };
}

/** Whether an operation reads or writes. */
export function getUse(method: string): SharedDefinition['use'] {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

function toSharedKey({ namespace, fingerprint }: SharedDefinition, rule: ParameterRule): string {
  return `${namespace}\n${fingerprint}\n${toRuleKey(rule)}`;
}

/** Looks up what is known about the rules of one operation. */
export interface RuleStatusLookup {
  getStatus(rule: ParameterRule): RuleStatus;
  /** Returns the definition whose evidence an argument shares. */
  getDefinition(param: string): SharedDefinition;
}

interface RuleStatusContext {
  readonly knowledge: RuleKnowledge;
  /** Stats of the operation, from traffic and from a calibration. */
  readonly stats: readonly OperationStats[];
  /** Resolves a `$ref` of the document. */
  readonly resolve: ResolveReference;
}

/** Creates the lookup of one operation. A status is computed once for each version of the knowledge. */
export function createRuleStatusLookup(
  operation: ServedOperation,
  { namespace, pattern }: Pick<ServedRoute, 'namespace' | 'pattern'>,
  { knowledge, stats, resolve }: RuleStatusContext,
): RuleStatusLookup {
  const key = { method: operation.method, route: pattern };
  const definitions = new Map<string, SharedDefinition>();
  const statuses = new Map<string, RuleStatus>();
  let version = -1;

  function getDefinition(param: string): SharedDefinition {
    const known = definitions.get(param);
    if (known !== undefined) return known;
    const fingerprint = computeFingerprint(operation, param, resolve) ?? '';
    const created = { namespace, fingerprint, use: getUse(operation.method) };
    definitions.set(param, created);
    return created;
  }

  function findDecision(ruleKey: string): OperatorDecision | undefined {
    for (const { rules } of stats) {
      const decision = rules.get(ruleKey)?.decision;
      if (decision !== undefined) return decision;
    }
    return undefined;
  }

  function computeStatus(rule: ParameterRule): RuleStatus {
    const own = stats.map(({ rules }) => rules.get(toRuleKey(rule))).filter((each) => each !== undefined);
    const learned = knowledge.getStatus(getDefinition(rule.param), rule, own);
    if (learned === 'suspended') return learned;
    const definition = rule.param === '' ? undefined : findArgumentDefinition(operation, rule.param, resolve);
    return isCoreRule(key, rule, definition ?? null) ? 'core' : learned;
  }

  return {
    getDefinition,
    getStatus(rule) {
      if (version !== knowledge.version) {
        version = knowledge.version;
        statuses.clear();
      }
      const ruleKey = toRuleKey(rule);
      const decided = findDecision(ruleKey);
      if (decided !== undefined) return decided;
      const known = statuses.get(ruleKey);
      if (known !== undefined) return known;
      const status = computeStatus(rule);
      statuses.set(ruleKey, status);
      return status;
    },
  };
}

/** Lists the evidence of all operations with the definitions that share it, for {@link RuleKnowledge.restore}. */
export function* listSharedRules(
  evidence: Evidence,
  findNamespace: (pattern: string) => string | undefined,
): Generator<SharedRuleStats> {
  for (const [{ method, route }, { rules }] of evidence.entries()) {
    const namespace = findNamespace(route);
    if (namespace === undefined) continue;
    const use = getUse(method);
    for (const rule of rules.values()) yield [{ namespace, fingerprint: rule.fingerprint, use }, rule];
  }
}

/** Creates the lookup of fingerprints for the routes of a document. */
export function createFingerprintLookup(
  findOperation: (method: string, pattern: string) => ServedOperation | undefined,
  resolve: ResolveReference,
): FingerprintLookup {
  return ({ method, route }) => {
    const operation = findOperation(method, route);
    return operation === undefined ? undefined : (param) => computeFingerprint(operation, param, resolve);
  };
}

/** @returns `undefined` for an undeclared parameter; the empty string for the empty name, which is the request as a whole */
function computeFingerprint(
  operation: ServedOperation,
  param: string,
  resolve: ResolveReference,
): string | undefined {
  if (param === '') return '';
  const definition = findArgumentDefinition(operation, param, resolve);
  return definition === undefined ? undefined : fingerprintDefinition(definition.schema);
}
