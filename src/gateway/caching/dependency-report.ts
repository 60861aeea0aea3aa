import type { DependencyLearning, PairEvidence } from '../../cache/dependencies/dependency-learning.ts';
import type { PurgeCounts } from './site-writes.ts';

/** What the gateway has learned about the dependencies of one site's responses. */
export interface DependencyReport {
  readonly writes: PurgeCounts;
  /** Pairs with evidence, in the table and in this page of the report. */
  readonly total: number;
  readonly offset: number;
  readonly pairs: readonly DependencyPair[];
}

/** The evidence about one kind of write and one route class. */
export interface DependencyPair {
  readonly write: string;
  readonly read: string;
  /** `independent`: such writes keep such responses. `dependent`: a write has changed one. */
  readonly state: 'independent' | 'dependent' | 'observed';
  /** Responses that a write did not change, since the last that one did. */
  readonly observations: number;
  /** Responses that a write changed. */
  readonly changes: number;
}

/** Pairs in one page of the report. */
const PAGE_SIZE = 1000;

/** Creates a page of the report, with the independent pairs first. */
export function createDependencyReport(
  learning: DependencyLearning | null,
  writes: PurgeCounts,
  offset: number,
): DependencyReport {
  const pairs = [...(learning?.pairs ?? [])];
  const sorted = pairs.map(describePair).sort(compare);
  return { writes, total: pairs.length, offset, pairs: sorted.slice(offset, offset + PAGE_SIZE) };
}

const STATES = ['independent', 'dependent', 'observed'] as const;

function describePair({
  changes,
  isIndependent,
  observations,
  routeClass,
  writeKind,
}: PairEvidence): DependencyPair {
  const state = isIndependent ? 'independent' : changes > 0 ? 'dependent' : 'observed';
  return { write: writeKind, read: routeClass, state, observations, changes };
}

function compare(one: DependencyPair, other: DependencyPair): number {
  return (
    STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
    one.write.localeCompare(other.write) ||
    one.read.localeCompare(other.read)
  );
}
