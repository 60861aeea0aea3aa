import { createOperationStats, type OperationStats } from './operation-stats.ts';

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

export interface DroppedEvidence {
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
