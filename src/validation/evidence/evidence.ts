import { createOperationStats, type OperationStats } from './stats.ts';

/** One operation, as evidence is kept: by what the site calls it, which no renaming in a document changes. */
export interface OperationKey {
  readonly method: string;
  /** The site's own route pattern. */
  readonly route: string;
}

/** What was seen of one site's operations. There is one tally for each operation that was asked, and no more. */
export interface Evidence {
  statsOf(operation: OperationKey): OperationStats;
  /** Those that were asked, in the order of asking. */
  entries(): Iterable<readonly [OperationKey, OperationStats]>;
  /**
   * Drops what a new document makes stale: operations that are gone, and rules of parameters that are gone or declared
   * otherwise. Tallies that stay are the same objects.
   */
  retain(declared: FingerprintLookup): DroppedEvidence;
}

/** What the present document says: of each parameter of an operation its fingerprint; `undefined` for neither. */
export type FingerprintLookup = (
  operation: OperationKey,
) => ((param: string) => string | undefined) | undefined;

export interface DroppedEvidence {
  readonly operations: number;
  readonly rules: number;
}

export function createEvidence(): Evidence {
  const byOperation = new Map<string, OperationKey & { readonly tally: OperationStats }>();
  return {
    statsOf({ method, route }) {
      const key = `${method} ${route}`;
      const known = byOperation.get(key);
      if (known !== undefined) return known.tally;
      const stats = createOperationStats();
      byOperation.set(key, { method, route, tally: stats });
      return stats;
    },
    *entries() {
      for (const { method, route, tally: stats } of byOperation.values())
        yield [{ method, route }, stats] as const;
    },
    retain(declared) {
      let operations = 0;
      let rules = 0;
      for (const [key, { tally: stats, ...name }] of byOperation) {
        const fingerprintOf = declared(name);
        if (fingerprintOf === undefined) {
          byOperation.delete(key);
          operations += 1;
          continue;
        }
        for (const [rule, { param, fingerprint }] of stats.rules) {
          if (fingerprintOf(param) === fingerprint) continue;
          stats.rules.delete(rule);
          rules += 1;
        }
      }
      return { operations, rules };
    },
  };
}
