import {
  type CounterExample,
  type Evidence,
  isDependent,
  type KindEvidence,
  sumSame,
} from '../../cache/dependencies/evidence.ts';
import type { PurgeCounts } from './site-writes.ts';

/** What the gateway has learned about the dependencies of one site's responses. */
export interface DependencyReport {
  readonly writes: PurgeCounts;
  /** Kinds of write with evidence, in the table and in this page of the report. */
  readonly total: number;
  readonly offset: number;
  readonly kinds: readonly KindReport[];
  /** Route classes whose responses change without a write. */
  readonly varying: readonly { readonly read: string; readonly compared: number; readonly changed: number }[];
}

/** The evidence about one kind of write. */
export interface KindReport {
  readonly write: string;
  /** Writes with a comparison that counted. */
  readonly writes: number;
  /** Comparisons without a counter-example, and how many are needed. */
  readonly same: number;
  readonly needed: number;
  /** Counter-examples. */
  readonly changed: number;
  /** Route classes that such a write keeps. */
  readonly kept: number;
  readonly dependents: readonly DependentReport[];
}

interface DependentReport {
  readonly read: string;
  readonly changes: number;
  readonly example: CounterExample | null;
}

/** Kinds in one page of the report. */
const PAGE_SIZE = 1000;

/** Creates a page of the report, with the kinds that keep most first. */
export function createDependencyReport(
  evidence: Evidence | null,
  writes: PurgeCounts,
  offset: number,
): DependencyReport {
  const kinds = Array.from(evidence?.kinds ?? [], ([write, kind]) => describeKind(evidence, write, kind));
  kinds.sort((one, other) => other.kept - one.kept || other.same - one.same);
  const varying = Array.from(evidence?.variations ?? []).flatMap(([read, { changed, compared }]) =>
    changed > 0 ? [{ read, compared, changed }] : [],
  );
  const page = kinds.slice(offset, offset + PAGE_SIZE);
  return { writes, total: kinds.length, offset, kinds: page, varying: varying.slice(0, PAGE_SIZE) };
}

function describeKind(evidence: Evidence | null, write: string, kind: KindEvidence): KindReport {
  const patterns = [...kind.patterns];
  return {
    write,
    writes: kind.compared,
    same: sumSame(kind),
    needed: evidence?.countNeeded(kind) ?? 0,
    changed: patterns.reduce((sum, [, { changes }]) => sum + changes, 0),
    kept: evidence?.listKeptPatterns(write).length ?? 0,
    dependents: patterns.flatMap(([read, pattern]) =>
      isDependent(pattern) ? [{ read, changes: pattern.changes, example: pattern.example }] : [],
    ),
  };
}
