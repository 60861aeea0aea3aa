import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import {
  createOperationStats,
  type EvidenceExample,
  MAX_EXAMPLES,
  MAX_RULES,
  type OperationStats,
  type OperatorDecision,
  toRuleKey,
} from './operation-stats.ts';

/** The key of an operation's evidence. It does not depend on names in the document, such as `operationId`. */
export interface OperationKey {
  readonly method: string;
  /** The site's own route pattern. */
  readonly route: string;
}

/** Evidence about the operations of one site. Operations without a validated request have none. */
export interface Evidence {
  /** Returns the stats of an operation, created if necessary. */
  getStats(operation: OperationKey): OperationStats;
  /** Returns the stats of an operation; `undefined` if none of its requests was validated. */
  findStats(operation: OperationKey): OperationStats | undefined;
  /** Iterates over all operations with evidence, in the order of their first request. */
  entries(): Iterable<readonly [OperationKey, OperationStats]>;
  /**
   * Drops the evidence that a new document invalidates: operations that it no longer declares, and rules of parameters
   * that it no longer declares or declares differently. Remaining stats keep their identity.
   */
  retainDeclared(declared: FingerprintLookup): DroppedEvidence;
}

/** Looks up the fingerprint ({@link fingerprintDefinition}) of a declared parameter; `undefined` for an undeclared operation or parameter. */
export type FingerprintLookup = (
  operation: OperationKey,
) => ((param: string) => string | undefined) | undefined;

interface DroppedEvidence {
  readonly operations: number;
  readonly rules: number;
}

export function createEvidence(): Evidence {
  const byOperation = new Map<string, OperationKey & { readonly stats: OperationStats }>();
  return {
    getStats({ method, route }) {
      const key = `${method} ${route}`;
      const known = byOperation.get(key);
      if (known !== undefined) return known.stats;
      const stats = createOperationStats();
      byOperation.set(key, { method, route, stats });
      return stats;
    },
    findStats: ({ method, route }) => byOperation.get(`${method} ${route}`)?.stats,
    *entries() {
      for (const { method, route, stats } of byOperation.values()) yield [{ method, route }, stats] as const;
    },
    retainDeclared(declared) {
      let operations = 0;
      let rules = 0;
      for (const [key, { stats, ...name }] of byOperation) {
        const getFingerprint = declared(name);
        if (getFingerprint === undefined) {
          byOperation.delete(key);
          operations += 1;
          continue;
        }
        for (const [rule, { param, fingerprint }] of stats.rules) {
          if (getFingerprint(param) === fingerprint) continue;
          stats.rules.delete(rule);
          rules += 1;
        }
      }
      return { operations, rules };
    },
  };
}

/** Converts evidence to the content of a stored state. */
export function evidenceToJson(evidence: Evidence): object {
  const known = [...evidence.entries()].filter(([, { rules, validated }]) => validated > 0 || rules.size > 0);
  const operations = known.map(([{ method, route }, stats]) => ({
    method,
    route,
    ...stats,
    rules: [...stats.rules.values()],
    missed: Array.from(stats.missed, ([param, missed]) => ({ param, ...missed })),
  }));
  return { operations };
}

/**
 * Adds stored evidence to the evidence collected since.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreEvidence({ operations }: JsonObject, evidence: Evidence): boolean {
  if (!Array.isArray(operations)) return false;
  for (const operation of operations.filter(isOperation)) {
    addOperation(evidence.getStats({ method: operation.method, route: operation.route }), operation);
  }
  return true;
}

interface StoredOperation extends JsonObject {
  readonly method: string;
  readonly route: string;
}

function isOperation(value: Json): value is StoredOperation {
  return isJsonObject(value) && typeof value['method'] === 'string' && typeof value['route'] === 'string';
}

function addOperation(stats: OperationStats, stored: JsonObject): void {
  // The stored streak continues unless a disagreement since has ended it.
  if (stats.outcomes.disagreed === 0) stats.streak += toCount(stored['streak']);
  stats.validated += toCount(stored['validated']);
  stats.wouldRefuse += toCount(stored['wouldRefuse']);
  stats.refused += toCount(stored['refused']);
  const outcomes = stored['outcomes'];
  for (const outcome of ['accepted', 'refused', 'disagreed', 'missed', 'undecided'] as const) {
    stats.outcomes[outcome] += isJsonObject(outcomes) ? toCount(outcomes[outcome]) : 0;
  }
  for (const rule of toObjects(stored['rules'])) addRule(stats, rule);
  for (const missed of toObjects(stored['missed'])) {
    const param = toText(missed['param']);
    const known = stats.missed.get(param);
    const examples = mergeExamples(known?.examples ?? [], missed['examples']);
    stats.missed.set(param, { count: (known?.count ?? 0) + toCount(missed['count']), examples });
  }
}

function addRule({ rules }: OperationStats, stored: JsonObject): void {
  const [param, rule] = [toText(stored['param']), toText(stored['rule'])];
  const fingerprint = toText(stored['fingerprint']);
  const key = toRuleKey({ param, rule });
  const known = rules.get(key);
  // The parameter's declaration has changed, so the stored stats are of a rule that no longer exists.
  if (known !== undefined && known.fingerprint !== fingerprint) return;
  rules.set(key, {
    param,
    rule,
    fingerprint,
    broken: (known?.broken ?? 0) + toCount(stored['broken']),
    refused: (known?.refused ?? 0) + toCount(stored['refused']),
    agreed: (known?.agreed ?? 0) + toCount(stored['agreed']),
    confirmed: (known?.confirmed ?? 0) + toCount(stored['confirmed']),
    disagreed: (known?.disagreed ?? 0) + toCount(stored['disagreed']),
    examples: mergeExamples(known?.examples ?? [], stored['examples']),
    decision: known?.decision ?? toDecision(stored['decision']),
  });
}

function toDecision(value: Json | undefined): OperatorDecision | undefined {
  return value === 'confirmed' || value === 'suspended' ? value : undefined;
}

function mergeExamples(examples: readonly EvidenceExample[], stored: Json | undefined): EvidenceExample[] {
  const read = toObjects(stored).map(({ value, status }) => ({
    value: toText(value),
    status: toCount(status),
  }));
  return [...read, ...examples].slice(0, MAX_EXAMPLES);
}

function toObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject).slice(0, MAX_RULES) : [];
}

function toCount(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
