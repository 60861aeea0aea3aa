import type { Json } from '../json.ts';
import { mapInSteps, type Steps } from '../steps.ts';
import {
  CHANGE_RULES,
  type ChangeRuleName,
  type ChangeSeverity,
  type ChangeValues,
  describeChange,
} from './rules.ts';

/** A change between two documents. Equal changes of several operations are one. */
export interface DocumentChange {
  /** Stable name of the kind of change. */
  readonly rule: ChangeRuleName;
  readonly severity: ChangeSeverity;
  /** The affected operations (`GET /wp/v2/posts`), in the order of the documents; empty if the document itself changed. */
  readonly operations: readonly string[];
  /** What changed, such as `query parameter "order"`; empty for the operations themselves. */
  readonly subject: string;
  /** The change, as an English clause: `the value "x" was removed`. */
  readonly text: string;
  /** The value before, if there was one. */
  readonly from?: Json;
  /** The value after, if there is one. */
  readonly to?: Json;
}

/** Whether a client sends or receives what changed. */
export type ChangeDirection = 'request' | 'response';

/**
 * Where a change was found: an operation (`GET /wp/v2/posts`), a pair of components that operations share, or the document
 * itself (an empty text).
 */
export type ChangeSource = string;

/** Collects changes. */
export interface ChangeCollector {
  readonly report: (
    rule: ChangeRuleName,
    place: { readonly source: ChangeSource; readonly direction: ChangeDirection; readonly subject: string },
    values?: ChangeValues,
  ) => void;
  /** Number of reports so far. */
  readonly count: () => number;
  /** @param operationsOf returns the operations of a source, in the order of the documents */
  readonly list: (
    operationsOf: (sources: ReadonlySet<ChangeSource>) => readonly string[],
  ) => Steps<ComparisonResult>;
}

/** The changes between two documents, the breaking ones first. */
export interface ComparisonResult {
  readonly changes: readonly DocumentChange[];
  /** Number of changes beyond the limit. */
  readonly omitted: number;
}

/** Maximum number of distinct changes. The rest are counted. */
export const MAX_CHANGES = 5000;

const SEVERITY_ORDER: readonly ChangeSeverity[] = ['breaking', 'compatible', 'cosmetic'];

export function createChangeCollector(): ChangeCollector {
  const found = new Map<string, { readonly change: DocumentChange; readonly sources: Set<ChangeSource> }>();
  let count = 0;
  let omitted = 0;
  return {
    report(rule, { direction, source, subject }, values = {}) {
      count += 1;
      const { from, to } = values;
      const text = describeChange(rule, values);
      const severity = CHANGE_RULES[rule][direction === 'request' ? 0 : 1];
      const key = JSON.stringify([rule, severity, subject, text]);
      const equal = found.get(key);
      if (equal !== undefined) equal.sources.add(source);
      else if (found.size >= MAX_CHANGES) omitted += 1;
      else {
        const change: DocumentChange = {
          rule,
          severity,
          operations: [],
          subject,
          text,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        };
        found.set(key, { change, sources: new Set([source]) });
      }
    },
    count: () => count,
    *list(operationsOf) {
      const changes = yield* mapInSteps(
        found.values(),
        ({ change, sources }): DocumentChange => ({ ...change, operations: operationsOf(sources) }),
      );
      const bySeverity = SEVERITY_ORDER.flatMap((severity) =>
        changes.filter((change) => change.severity === severity),
      );
      return { changes: bySeverity, omitted };
    },
  };
}
