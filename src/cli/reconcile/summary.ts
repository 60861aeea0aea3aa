import type { ReconcileReport } from '../../reconcile/index.ts';

const MAX_COLUMN_WIDTH = 70;

const STOP_REASONS = {
  limit: 'the request limit was reached; --max-requests raises it',
  'site-asked': 'the site asked for fewer requests (429 or 503)',
  bytes: 'the limit of stored response bytes was reached',
  time: 'the time limit was reached; --timeout raises it',
} as const;

/**
 * Formats the result of a reconciliation for a person.
 *
 * @param path the written overlay
 */
export function formatReconcileSummary(report: ReconcileReport, path: string): string {
  const failures = Object.entries(report.refused).map(([reason, count]) => `${count} ${reason}`);
  const findings = report.operations.flatMap((operation) =>
    operation.findings.map(({ responses, kind, pointer, actual }) => ({
      location: `${operation.operation} ${pointer === '' ? '/' : pointer}`,
      finding: kind === 'type' || kind === 'extra' ? `${kind} ${actual}` : kind,
      frequency: `${responses} of ${operation.validated}`,
    })),
  );
  const locationWidth = columnWidth(findings.map(({ location }) => location));
  const findingWidth = columnWidth(findings.map(({ finding }) => finding));
  return [
    report.site,
    `  ${report.requests} requests, ${report.validated} responses validated${
      failures.length === 0 ? '' : `, not used: ${failures.join(', ')}`
    }`,
    ...findings.map(
      ({ finding, frequency, location }) =>
        `    ${location.padEnd(locationWidth)}  ${finding.padEnd(findingWidth)}  ${frequency}`,
    ),
    ...(report.stopped === undefined ? [] : [`  Stopped early: ${STOP_REASONS[report.stopped]}.`]),
    ...(report.remaining.length === 0
      ? []
      : [`  ${report.remaining.length} operations still have findings after the overlay is applied.`]),
    `Written: ${path}, ${report.actions} ${report.actions === 1 ? 'action' : 'actions'}`,
    'Apply with waygate generate --overlay.',
    '',
  ].join('\n');
}

function columnWidth(texts: readonly string[]): number {
  return Math.min(MAX_COLUMN_WIDTH, Math.max(0, ...texts.map(({ length }) => length)));
}
