import { type ComparisonResult, compareDocuments, type DocumentChange } from '../../changes/index.ts';
import type { SeenVersion } from '../../docs/changes.tsx';
import { splitNames } from '../../glob.ts';
import { type Json, jsonItems, matchesExample } from '../../json.ts';
import type { Clock } from '../../ports.ts';
import { runInSlices } from '../../steps.ts';
import type { Snapshot } from './snapshot.ts';

/** Why a document is served; `accepted`: it was held back before; `rolled-back`: it was served before. */
export type DiscoveryCause = 'start' | 'interval' | 'request' | 'accepted' | 'rolled-back';

/** One version of a site's document, as the gateway has seen it. */
export interface DocumentVersion extends Omit<SeenVersion, 'note'> {
  /** `stored`: the gateway was started with it. */
  readonly cause: DiscoveryCause | 'stored';
}

/** The changes of one version. */
export type VersionChanges = NonNullable<SeenVersion['changes']>;

export const MAX_VERSIONS = 20;
/** Changes of one version that are kept. The rest are counted. */
const MAX_CHANGES = 100;
/** Operations that a change names. One change can concern all of them. */
const MAX_OPERATIONS = 10;

/** The versions of one site's document. */
export class DocumentHistory {
  /** The latest first. */
  versions: readonly DocumentVersion[] = [];
  /** Number of versions that were seen, and so of those that are no longer listed. */
  count = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Continues the history of an earlier process. */
  restore(versions: readonly DocumentVersion[], count: number): void {
    this.versions = versions.slice(0, MAX_VERSIONS);
    this.count = count;
  }

  /** Adds the document that a gateway was started with. An origin without document has no history. */
  begin({ documented, operationCount: operations }: Snapshot): void {
    if (documented === null) return;
    this.#append({ seenAt: this.#clock.now(), cause: 'stored', operations, changes: null });
  }

  /**
   * Adds the document of a snapshot that is served now, unless it is equal to the one before.
   *
   * @param changes from the one before; `null` if there was none
   * @returns whether it was added
   */
  add(next: Snapshot, changes: VersionChanges | null, cause: DiscoveryCause): boolean {
    // The index may differ in what the document does not contain.
    if (next.documented === null || changes?.total === 0) return false;
    this.#append({ seenAt: this.#clock.now(), cause, operations: next.operationCount, changes });
    return true;
  }

  /** Finds a version by its number. The latest one has the number {@link count}. */
  find(number: number): DocumentVersion | undefined {
    return Number.isSafeInteger(number) ? this.versions[this.count - number] : undefined;
  }

  #append(version: DocumentVersion): void {
    this.versions = [version, ...this.versions].slice(0, MAX_VERSIONS);
    this.count += 1;
  }
}

const CAUSES: ReadonlySet<string> = new Set(splitNames('start interval request accepted rolled-back stored'));

/** Reads stored versions. Those that are malformed are left out. */
export function readVersions(stored: Json | undefined): readonly DocumentVersion[] {
  return jsonItems(stored).filter(
    (value): value is Json & DocumentVersion =>
      matchesExample(value, STORED_VERSION) &&
      CAUSES.has(value.cause) &&
      Number.isSafeInteger(value.seenAt) &&
      value.seenAt >= 0,
  );
}

const STORED_VERSION = {
  seenAt: 0,
  cause: '',
  operations: 0,
  changes: {
    nullable: {
      ...{ breaking: 0, added: 0, removed: 0, total: 0 },
      listed: [{ severity: '', subject: '', text: '', operations: [''], operationCount: 0 }],
    },
  },
};

/**
 * Compares the documents of two snapshots, in slices.
 *
 * @returns `null` if the first has no document
 * @throws the reason of the signal when it aborts
 */
export async function compareSnapshots(
  previous: Snapshot | null,
  next: Snapshot,
  clock: Clock,
  signal: AbortSignal,
): Promise<SnapshotComparison | null> {
  const [from, to] = [previous?.documented?.document, next.documented?.document];
  if (from === undefined || to === undefined) return null;
  const result = await runInSlices(compareDocuments(from, to), clock, signal);
  const hasRemovals = result.changes.some(({ rule }) => rule.endsWith('-removed'));
  return { changes: summarizeChanges(result), hasRemovals };
}

export interface SnapshotComparison {
  readonly changes: VersionChanges;
  /** Whether something is no longer there: an operation, a parameter, a member, a value. */
  readonly hasRemovals: boolean;
}

function summarizeChanges({ changes, omitted }: ComparisonResult): VersionChanges {
  const countOperations = (rule: DocumentChange['rule']): number =>
    changes
      .filter((change) => change.rule === rule)
      .reduce((sum, change) => sum + change.operations.length, 0);
  return {
    breaking: changes.filter(({ severity }) => severity === 'breaking').length,
    added: countOperations('operation-added'),
    removed: countOperations('operation-removed'),
    total: changes.length + omitted,
    listed: changes.slice(0, MAX_CHANGES).map(({ operations, severity, subject, text }) => {
      const operationCount = operations.length;
      return { severity, subject, text, operations: operations.slice(0, MAX_OPERATIONS), operationCount };
    }),
  };
}
