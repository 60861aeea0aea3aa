import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  type ResponseFinding,
  type ResponseFindingKind,
} from './finding.ts';
import { type ResponseValidationResult, SKIP_REASONS, type SkipReason } from './validator.ts';

/** What was found in a site's answers. Values are never part of it. */
export interface ResponseValidationReport {
  readonly validated: number;
  /** How many answers were not judged, by the reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** By `operationId`, those with most findings first. */
  readonly operations: readonly OperationFindings[];
}

export interface OperationFindings {
  readonly operation: string;
  /** How many of its answers were judged. */
  readonly validated: number;
  /** How many of them had nothing wrong. */
  readonly correct: number;
  readonly findings: readonly CountedFinding[];
  /** How often something was found in places beyond those that are listed. */
  readonly unlisted: number;
}

export interface CountedFinding extends ResponseFinding {
  readonly kind: ResponseFindingKind;
  readonly severity: FindingSeverity;
  /** How many answers showed it, of those of the operation that were judged. */
  readonly responses: number;
}

/** Counts what judges find: by operation, place and kind. */
export interface ResponseFindingStats {
  record(operation: string, judgement: ResponseValidationResult): void;
  report(): ResponseValidationReport;
}

/** A site chooses the names of properties: no more places than these are told apart. */
const MAX_LOCATIONS = { operation: 400, site: 20_000 } as const;

interface OperationCounts {
  validated: number;
  correct: number;
  unlisted: number;
  readonly locations: Map<string, { readonly finding: ResponseFinding; responses: number }>;
}

/** @param before what was counted earlier, such as before a restart */
export function createResponseFindingStats(before?: ResponseValidationReport): ResponseFindingStats {
  const operations = new Map<string, OperationCounts>();
  const skipped = new Map<SkipReason, number>();
  let locations = 0;

  const countedOf = (operation: string): OperationCounts => {
    const known = operations.get(operation) ?? {
      validated: 0,
      correct: 0,
      unlisted: 0,
      locations: new Map(),
    };
    operations.set(operation, known);
    return known;
  };
  const count = (counted: OperationCounts, finding: ResponseFinding, responses: number): void => {
    const { kind, keyword, pointer, actual, schema } = finding;
    const key = `${pointer}\n${kind}\n${actual}\n${keyword}\n${schema}`;
    const location = counted.locations.get(key);
    if (location !== undefined) location.responses += responses;
    else if (counted.locations.size >= MAX_LOCATIONS.operation || locations >= MAX_LOCATIONS.site) {
      counted.unlisted += responses;
    } else {
      locations += 1;
      counted.locations.set(key, { finding: { kind, pointer, actual, keyword, schema }, responses });
    }
  };
  for (const reason of SKIP_REASONS) {
    const responses = before?.skipped[reason];
    if (responses !== undefined) skipped.set(reason, responses);
  }
  for (const each of before?.operations ?? []) {
    const counted = countedOf(each.operation);
    counted.validated += each.validated;
    counted.correct += each.correct;
    counted.unlisted += each.unlisted;
    for (const finding of each.findings) count(counted, finding, finding.responses);
  }

  return {
    record(operation, judgement) {
      if (judgement.kind === 'unjudged') {
        skipped.set(judgement.reason, (skipped.get(judgement.reason) ?? 0) + 1);
        return;
      }
      const counted = countedOf(operation);
      counted.validated += 1;
      if (judgement.findings.every(({ kind }) => FINDING_SEVERITIES[kind] !== 'wrong')) counted.correct += 1;
      for (const finding of judgement.findings) count(counted, finding, 1);
    },
    report() {
      const listed = [...operations].map(([operation, counted]): OperationFindings => {
        const { validated, correct, unlisted } = counted;
        const findings = [...counted.locations.values()].map(({ finding, responses }) => ({
          ...finding,
          severity: FINDING_SEVERITIES[finding.kind],
          responses,
        }));
        findings.sort((one, other) => other.responses - one.responses || compare(one.pointer, other.pointer));
        return { operation, validated, correct, findings, unlisted };
      });
      listed.sort(
        (one, other) =>
          other.findings.length - one.findings.length || compare(one.operation, other.operation),
      );
      return {
        validated: listed.reduce((sum, { validated }) => sum + validated, 0),
        skipped: Object.fromEntries([...skipped].sort(([one], [other]) => compare(one, other))),
        operations: listed,
      };
    },
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
