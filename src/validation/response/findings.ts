import {
  type FindingSeverity,
  type ResponseFinding,
  type ResponseFindingKind,
  SEVERITY_OF_FINDING,
} from './finding.ts';
import { type Judgement, UNJUDGED, type UnjudgedReason } from './validator.ts';

/** What was found in a site's answers. Values are never part of it. */
export interface ResponseReport {
  readonly judged: number;
  /** How many answers were not judged, by the reason. */
  readonly unjudged: Readonly<Partial<Record<UnjudgedReason, number>>>;
  /** By `operationId`, those with most findings first. */
  readonly operations: readonly OperationFindings[];
}

export interface OperationFindings {
  readonly operation: string;
  /** How many of its answers were judged. */
  readonly judged: number;
  /** How many of them had nothing wrong. */
  readonly right: number;
  readonly findings: readonly CountedFinding[];
  /** How often something was found in places beyond those that are listed. */
  readonly unlisted: number;
}

export interface CountedFinding extends ResponseFinding {
  readonly kind: ResponseFindingKind;
  readonly weight: FindingSeverity;
  /** How many answers showed it, of those of the operation that were judged. */
  readonly answers: number;
}

/** Counts what judges find: by operation, place and kind. */
export interface ResponseFindings {
  record(operation: string, judgement: Judgement): void;
  report(): ResponseReport;
}

/** A site chooses the names of properties: no more places than these are told apart. */
const MOST_PLACES = { operation: 400, site: 20_000 } as const;

interface Counted {
  judged: number;
  right: number;
  unlisted: number;
  readonly places: Map<string, { readonly finding: ResponseFinding; answers: number }>;
}

/** @param before what was counted earlier, such as before a restart */
export function createResponseFindings(before?: ResponseReport): ResponseFindings {
  const operations = new Map<string, Counted>();
  const unjudged = new Map<UnjudgedReason, number>();
  let places = 0;

  const countedOf = (operation: string): Counted => {
    const known = operations.get(operation) ?? { judged: 0, right: 0, unlisted: 0, places: new Map() };
    operations.set(operation, known);
    return known;
  };
  const count = (counted: Counted, finding: ResponseFinding, answers: number): void => {
    const { kind, keyword, pointer, saw, schema } = finding;
    const key = `${pointer}\n${kind}\n${saw}\n${keyword}\n${schema}`;
    const place = counted.places.get(key);
    if (place !== undefined) place.answers += answers;
    else if (counted.places.size >= MOST_PLACES.operation || places >= MOST_PLACES.site) {
      counted.unlisted += answers;
    } else {
      places += 1;
      counted.places.set(key, { finding: { kind, pointer, saw, keyword, schema }, answers });
    }
  };
  for (const reason of UNJUDGED) {
    const answers = before?.unjudged[reason];
    if (answers !== undefined) unjudged.set(reason, answers);
  }
  for (const each of before?.operations ?? []) {
    const counted = countedOf(each.operation);
    counted.judged += each.judged;
    counted.right += each.right;
    counted.unlisted += each.unlisted;
    for (const finding of each.findings) count(counted, finding, finding.answers);
  }

  return {
    record(operation, judgement) {
      if (judgement.kind === 'unjudged') {
        unjudged.set(judgement.reason, (unjudged.get(judgement.reason) ?? 0) + 1);
        return;
      }
      const counted = countedOf(operation);
      counted.judged += 1;
      if (judgement.findings.every(({ kind }) => SEVERITY_OF_FINDING[kind] !== 'wrong')) counted.right += 1;
      for (const finding of judgement.findings) count(counted, finding, 1);
    },
    report() {
      const listed = [...operations].map(([operation, counted]): OperationFindings => {
        const { judged, right, unlisted } = counted;
        const findings = [...counted.places.values()].map(({ finding, answers }) => ({
          ...finding,
          weight: SEVERITY_OF_FINDING[finding.kind],
          answers,
        }));
        findings.sort((one, other) => other.answers - one.answers || compare(one.pointer, other.pointer));
        return { operation, judged, right, findings, unlisted };
      });
      listed.sort(
        (one, other) =>
          other.findings.length - one.findings.length || compare(one.operation, other.operation),
      );
      return {
        judged: listed.reduce((sum, { judged }) => sum + judged, 0),
        unjudged: Object.fromEntries([...unjudged].sort(([one], [other]) => compare(one, other))),
        operations: listed,
      };
    },
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
