import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  type ResponseFinding,
  type ResponseFindingKind,
} from './finding.ts';
import { type ResponseValidationResult, SKIP_REASONS, type SkipReason } from './validator.ts';

/** Findings in the responses of a site. They contain no values of responses. */
export interface ResponseValidationReport {
  readonly validated: number;
  /** Number of responses that were not validated, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Operations with most findings first. */
  readonly operations: readonly OperationFindings[];
}

export interface OperationFindings {
  readonly operation: string;
  /** Number of its responses that were validated. */
  readonly validated: number;
  /** Number of these without a finding of severity `wrong`. */
  readonly correct: number;
  readonly findings: readonly CountedFinding[];
  /** Number of findings at locations beyond the limit. */
  readonly unlisted: number;
}

export interface CountedFinding extends ResponseFinding {
  readonly kind: ResponseFindingKind;
  readonly severity: FindingSeverity;
  /** Number of responses with this finding. */
  readonly responses: number;
}

/** Counts findings by operation, location and kind. */
export interface ResponseFindingStats {
  record(operation: string, result: ResponseValidationResult): void;
  report(): ResponseValidationReport;
}

/** Maximum number of distinct locations, because the site chooses the names of properties. */
const MAX_LOCATIONS = { operation: 400, site: 20_000 } as const;

interface OperationCounts {
  validated: number;
  correct: number;
  unlisted: number;
  readonly locations: Map<string, { readonly finding: ResponseFinding; responses: number }>;
}

/** @param before an earlier report to continue from */
export function createResponseFindingStats(previousReport?: ResponseValidationReport): ResponseFindingStats {
  const operations = new Map<string, OperationCounts>();
  const skipped = new Map<SkipReason, number>();
  let locations = 0;

  const getCounts = (operation: string): OperationCounts => {
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
    const responses = previousReport?.skipped[reason];
    if (responses !== undefined) skipped.set(reason, responses);
  }
  for (const each of previousReport?.operations ?? []) {
    const counted = getCounts(each.operation);
    counted.validated += each.validated;
    counted.correct += each.correct;
    counted.unlisted += each.unlisted;
    for (const finding of each.findings) count(counted, finding, finding.responses);
  }

  return {
    record(operation, result) {
      if (result.kind === 'skipped') {
        skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
        return;
      }
      const counted = getCounts(operation);
      counted.validated += 1;
      if (result.findings.every(({ kind }) => FINDING_SEVERITIES[kind] !== 'wrong')) counted.correct += 1;
      for (const finding of result.findings) count(counted, finding, 1);
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
