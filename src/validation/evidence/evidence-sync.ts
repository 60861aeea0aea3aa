import {
  combineCounts,
  type Ledger,
  type LedgerRecords,
  type OperationRecord,
  type OperatorDecision,
  type RuleRecord,
  toRuleRecord,
} from './ledger.ts';
import { getSeenError } from './seen-errors.ts';

type Counts = Readonly<Record<string, number>>;

/** Tells the ledger of one site among the processes of a gateway, so that each has the sum. */
export class EvidenceSync {
  readonly #ledger: Ledger;
  /** What the other processes know, by the object that is counted. */
  readonly #reported = new WeakMap<object, Counts>();
  readonly #decisions = new WeakMap<object, OperatorDecision | null>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Returns what this process has counted since the last call; `null` for nothing. */
  take(): LedgerRecords | null {
    const rules: RuleRecord[] = [];
    for (const entry of this.#ledger.entries) {
      const counts = this.#takeCounts(entry, entry.counts.traffic);
      const isDecided = (this.#decisions.get(entry) ?? null) !== entry.decision;
      this.#decisions.set(entry, entry.decision);
      if (!isDecided && isZero(counts)) continue;
      rules.push(toRuleRecord(entry, counts, isDecided ? entry.decision : undefined));
    }
    const operations: OperationRecord[] = [];
    for (const [name, stats] of this.#ledger.operations) {
      const counts = this.#takeCounts(stats.counts, stats.counts);
      const errors = [...stats.errors.values()].flatMap((error) => {
        const { count } = this.#takeCounts(error, { count: error.count });
        return count > 0 ? [{ ...error, count }] : [];
      });
      if (isZero(counts) && errors.length === 0) continue;
      // A streak begins anew with a disagreement.
      const streak = counts.disagreed > 0 ? stats.counts.streak : counts.streak;
      operations.push({ name, ...counts, streak, errors });
    }
    return rules.length + operations.length === 0 ? null : { rules, operations };
  }

  /** Returns everything, for a process that knows nothing yet. */
  list(): LedgerRecords | null {
    return new EvidenceSync(this.#ledger).take();
  }

  /** Adds what another process has counted. It is not among what this process tells. */
  add(records: LedgerRecords): void {
    this.#ledger.add(records);
    for (const record of records.rules) {
      const entry = this.#ledger.getEntry(record);
      this.#addReported(entry, entry.counts.traffic, record);
      if (record.decision !== undefined) this.#decisions.set(entry, record.decision);
    }
    for (const record of records.operations) {
      const { counts, errors } = this.#ledger.getOperation(record.name);
      const before = this.#reported.get(counts)?.['streak'] ?? 0;
      this.#addReported(counts, counts, record);
      const streak = record.disagreed > 0 ? record.streak : before + record.streak;
      this.#reported.set(counts, { ...this.#reported.get(counts), streak });
      for (const error of record.errors) {
        const known = getSeenError(errors, error);
        if (known !== undefined) this.#addReported(known, { count: known.count }, error);
      }
    }
  }

  /** Returns the difference to what was reported of an object. */
  #takeCounts<Name extends string>(
    owner: object,
    counts: Readonly<Record<Name, number>>,
  ): Record<Name, number> {
    const before = this.#getReported(owner, counts);
    this.#reported.set(owner, { ...counts });
    return combineCounts(counts, before, -1);
  }

  #addReported<Name extends string>(
    owner: object,
    counts: Readonly<Record<Name, number>>,
    added: Readonly<Record<NoInfer<Name>, number>>,
  ): void {
    this.#reported.set(owner, combineCounts(this.#getReported(owner, counts), added, 1));
  }

  #getReported<Name extends string>(
    owner: object,
    counts: Readonly<Record<Name, number>>,
  ): Record<Name, number> {
    const reported = this.#reported.get(owner);
    const known: Record<Name, number> = { ...counts };
    for (const name in counts) known[name] = reported?.[name] ?? 0;
    return known;
  }
}

function isZero(counts: Counts): boolean {
  return Object.values(counts).every((count) => count === 0);
}
