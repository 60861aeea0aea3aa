import type { ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { ParameterRule } from '../request/result.ts';
import type { ResolveReference } from '../wordpress/index.ts';
import { findArgumentDefinition, fingerprintDefinition } from './argument-definition.ts';
import { isCoreRule } from './core-rules.ts';
import type { Evidence, FingerprintLookup } from './evidence.ts';
import type { OperationStats } from './operation-stats.ts';
import {
  getUse,
  type RuleKnowledge,
  type RuleStatus,
  type SharedDefinition,
  type SharedRuleStats,
} from './rule-knowledge.ts';
import { type OperatorDecision, toRuleKey } from './rule-stats.ts';

/** Looks up what is known about the rules of one operation. */
export interface RuleStatusLookup {
  getStatus(rule: ParameterRule): RuleStatus;
  /** Returns the definition whose evidence an argument shares. */
  getDefinition(param: string): SharedDefinition;
}

export interface RuleStatusContext {
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
