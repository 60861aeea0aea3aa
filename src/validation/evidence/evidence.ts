import { createTally, type Tally } from './stats.ts';

/** One operation, as evidence is kept: by what the site calls it, which no renaming in a document changes. */
export interface OperationName {
  readonly method: string;
  /** The site's own route pattern. */
  readonly route: string;
}

/** What was seen of one site's operations. There is one tally for each operation that was asked, and no more. */
export interface Evidence {
  of(operation: OperationName): Tally;
  /** Those that were asked, in the order of asking. */
  all(): Iterable<readonly [OperationName, Tally]>;
  /**
   * Drops what a new document makes stale: operations that are gone, and rules of parameters that are gone or declared
   * otherwise. Tallies that stay are the same objects.
   */
  retain(declared: Declared): Dropped;
}

/** What the present document says: of each parameter of an operation its fingerprint; `undefined` for neither. */
export type Declared = (operation: OperationName) => ((param: string) => string | undefined) | undefined;

export interface Dropped {
  readonly operations: number;
  readonly rules: number;
}

export function createEvidence(): Evidence {
  const kept = new Map<string, OperationName & { readonly tally: Tally }>();
  return {
    of({ method, route }) {
      const key = `${method} ${route}`;
      const known = kept.get(key);
      if (known !== undefined) return known.tally;
      const tally = createTally();
      kept.set(key, { method, route, tally });
      return tally;
    },
    *all() {
      for (const { method, route, tally } of kept.values()) yield [{ method, route }, tally] as const;
    },
    retain(declared) {
      let operations = 0;
      let rules = 0;
      for (const [key, { tally, ...name }] of kept) {
        const fingerprintOf = declared(name);
        if (fingerprintOf === undefined) {
          kept.delete(key);
          operations += 1;
          continue;
        }
        for (const [rule, { param, fingerprint }] of tally.rules) {
          if (fingerprintOf(param) === fingerprint) continue;
          tally.rules.delete(rule);
          rules += 1;
        }
      }
      return { operations, rules };
    },
  };
}
