import { countOf } from '../../count-of.ts';
import type { ReconcileReport, UntypedOperationReport } from '../../reconcile/index.ts';

const MAX_COLUMN_WIDTH = 70;
/** Number of findings and of untyped operations that are listed without `--verbose`. */
const MAX_LISTED = 10;

const STOP_REASONS = {
  limit: 'the request limit was reached; --max-requests raises it',
  'site-asked': 'the site asked for fewer requests (429 or 503)',
  bytes: 'the limit of stored response bytes was reached',
  time: 'the time limit was reached; --timeout raises it',
} as const;

/** Why an operation has no description of its response. A number is the status of its response. */
const UNTYPED_REASONS: Readonly<Record<string, string>> = {
  'required-parameter': 'the value of a required parameter is unknown',
  'no-item-known': 'no value is known for a parameter of its path',
  costly: 'not requested, because it is expensive for the site',
  limit: 'not requested, because the request limit was reached',
  'not-json': 'its response is not JSON',
  'not-seen': 'no response was seen',
};

/**
 * Formats the result of a reconciliation for a person: what it achieves first.
 *
 * @param path the written overlay
 */
export function formatReconcileSummary(report: ReconcileReport, path: string, isVerbose: boolean): string {
  const { sampled, typed, untyped } = report;
  const failures = Object.entries(report.refused).map(([reason, count]) => `${count} ${reason}`);
  return [
    report.site,
    `  ${typed.before.described} → ${typed.after.described} of ${typed.after.operations} operations have a described response (GET: ${typed.before.describedReads} → ${typed.after.describedReads} of ${typed.after.reads})`,
    `  ${share(sampled.before.correct, sampled.before.responses)} → ${share(sampled.after.correct, sampled.after.responses)} of ${sampled.after.responses} sampled responses are described and valid`,
    `  ${countOf(report.requests, 'request')}${failures.length === 0 ? '' : `, not used: ${failures.join(', ')}`}${
      report.gatewayResponses === 0
        ? ''
        : `; ${countOf(report.gatewayResponses, 'response')} seen by the gateway`
    }`,
    ...(report.stopped === undefined ? [] : [`  Stopped early: ${STOP_REASONS[report.stopped]}.`]),
    ...formatUntyped(untyped, isVerbose),
    ...formatFindings(report, isVerbose),
    ...(report.remaining.length === 0
      ? []
      : [
          `  Findings remain in ${countOf(report.remaining.length, 'operation')} after the overlay is applied.`,
        ]),
    `Written: ${path}, ${countOf(report.actions, 'action')}`,
    'waygate generate applies it if it lies beside the output.',
    '',
  ].join('\n');
}

/** Percent, rounded down, so that 100 % means all. */
function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((part * 100) / whole)} %`;
}

function formatUntyped(untyped: readonly UntypedOperationReport[], isVerbose: boolean): readonly string[] {
  if (untyped.length === 0) return [];
  const writes = untyped.filter(({ method, reason }) => method !== 'GET' && reason === 'not-seen');
  const listed = isVerbose ? untyped : untyped.filter((each) => !writes.includes(each)).slice(0, MAX_LISTED);
  const rows = listed.map(({ method, path, reason }) => ({
    address: `${method} ${path}`,
    reason: explain(reason),
  }));
  const width = columnWidth(rows.map(({ address }) => address));
  const left = untyped.length - listed.length;
  return [
    `  Not described: ${untyped.length}`,
    ...rows.map(({ address, reason }) => `    ${address.padEnd(width)}  ${reason}`),
    ...(left === 0 ? [] : [`    and ${left} more (--verbose)`]),
    ...(writes.length === 0
      ? []
      : [
          `  ${writes.length} of them ${writes.length === 1 ? 'writes' : 'write'}: reconcile sends GET only. --from <gateway> takes what a gateway has seen.`,
        ]),
  ];
}

function explain(reason: string): string {
  return (
    (Object.hasOwn(UNTYPED_REASONS, reason) ? UNTYPED_REASONS[reason] : undefined) ??
    (/^\d+$/.test(reason) ? `the site responded with ${reason}` : `the request failed: ${reason}`)
  );
}

function formatFindings({ operations }: ReconcileReport, isVerbose: boolean): readonly string[] {
  const findings = operations.flatMap((operation) =>
    operation.findings.map(({ responses, kind, pointer, actual }) => ({
      location: `${operation.operation} ${pointer === '' ? '/' : pointer}`,
      finding: kind === 'type' || kind === 'extra' ? `${kind} ${actual}` : kind,
      frequency: `${responses} of ${operation.validated}`,
    })),
  );
  if (findings.length === 0) return [];
  const listed = isVerbose ? findings : findings.slice(0, MAX_LISTED);
  const locationWidth = columnWidth(listed.map(({ location }) => location));
  const findingWidth = columnWidth(listed.map(({ finding }) => finding));
  const left = findings.length - listed.length;
  return [
    `  Differences from the index: ${findings.length}`,
    ...listed.map(
      ({ finding, frequency, location }) =>
        `    ${location.padEnd(locationWidth)}  ${finding.padEnd(findingWidth)}  ${frequency}`,
    ),
    ...(left === 0 ? [] : [`    and ${left} more (--verbose)`]),
  ];
}

function columnWidth(texts: readonly string[]): number {
  return Math.min(MAX_COLUMN_WIDTH, Math.max(0, ...texts.map(({ length }) => length)));
}
