import {
  combineCounts,
  type Ledger,
  type LedgerRecords,
  type OperatorDecision,
  toRuleRecord,
} from './ledger.ts';

/** Tells the ledger of one site among the processes of a gateway, so that each has the sum. */
export class EvidenceSync {
  readonly #ledger: Ledger;
  /** The counts that the other processes know, by the object that they are of. */
  readonly #told = new WeakMap<object, Readonly<Record<string, number>>>();
  readonly #decisions = new WeakMap<object, OperatorDecision | null>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Returns everything, for a process that knows nothing yet. */
  list(): LedgerRecords {
    return this.#ledger.toRecords('traffic');
  }

  /** Returns what this process has counted since the last call; `null` for nothing. */
  take(): LedgerRecords | null {
    const rules = [...this.#ledger.entries].flatMap((entry) => {
      const counts = this.#tell(entry, entry.counts.traffic);
      const isDecided = (this.#decisions.get(entry) ?? null) !== entry.decision;
      this.#decisions.set(entry, entry.decision);
      if (!isDecided && isZero(counts)) return [];
      return [toRuleRecord(entry, counts, isDecided ? entry.decision : undefined)];
    });
    const operations = [...this.#ledger.operations].flatMap(([name, stats]) => {
      const counts = this.#tell(stats, stats.counts);
      const errors = [...stats.errors.values()].flatMap((error) => {
        const { count } = this.#tell(error, { count: error.count });
        return count === 0 ? [] : [{ ...error, count }];
      });
      if (isZero(counts) && errors.length === 0) return [];
      // A streak begins anew with a disagreement.
      const streak = counts.disagreed > 0 ? stats.counts.streak : counts.streak;
      return [{ name, ...counts, streak, errors }];
    });
    return rules.length + operations.length === 0 ? null : { rules, operations };
  }

  /** Adds what another process has counted. It is not among what this process tells. */
  add(records: LedgerRecords): void {
    for (const record of records.rules) {
      const entry = this.#ledger.getEntry(record);
      const untold = this.#untold(entry, entry.counts.traffic);
      this.#ledger.add({ rules: [record], operations: [] });
      this.#told.set(entry, combineCounts(entry.counts.traffic, untold, -1));
      if (record.decision !== undefined) this.#decisions.set(entry, record.decision);
    }
    for (const record of records.operations) {
      const stats = this.#ledger.getOperation(record.name);
      const untold = this.#untold(stats, stats.counts);
      const errors = new Map(
        Array.from(stats.errors.values(), (error) => [error, this.#untold(error, { count: error.count })]),
      );
      this.#ledger.add({ rules: [], operations: [record] });
      this.#told.set(stats, combineCounts(stats.counts, untold, -1));
      for (const error of stats.errors.values()) {
        this.#told.set(error, { count: error.count - (errors.get(error)?.count ?? 0) });
      }
    }
  }

  #untold<Name extends string>(owner: object, counts: Readonly<Record<Name, number>>): Record<Name, number> {
    const told = this.#told.get(owner);
    const untold: Record<Name, number> = { ...counts };
    for (const name in counts) untold[name] -= told?.[name] ?? 0;
    return untold;
  }

  #tell<Name extends string>(owner: object, counts: Readonly<Record<Name, number>>): Record<Name, number> {
    const untold = this.#untold(owner, counts);
    this.#told.set(owner, { ...counts });
    return untold;
  }
}

function isZero(counts: Readonly<Record<string, number>>): boolean {
  return Object.values(counts).every((count) => count === 0);
}
