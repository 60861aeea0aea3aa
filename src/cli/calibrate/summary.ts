import type { CalibrationReport, OpenReason, RuleFinding } from '../../calibrate/index.ts';
import { countOf } from '../../count-of.ts';

const OUTCOMES = {
  confirmed: 'confirmed: mode enforce refuses by these',
  overruled: 'overruled: the site accepts violations, so these are suspended',
  mixed: 'mixed: the site applies these at some operations only, and each is known by itself',
  open: 'open: not known, so requests are forwarded and observed',
} as const satisfies Record<RuleFinding['outcome'], string>;

const REASONS: Readonly<Record<OpenReason, string>> = {
  'needs-credentials': 'the site wants credentials (--auth)',
  'server-error': 'the site failed (5xx)',
  'rate-limited': 'the site asked for fewer requests (429 or 503); --rate lowers the rate',
  unreachable: 'the site could not be reached',
  'no-verdict': 'the response is not one of the REST interface',
  interrupted: 'the calibration was interrupted',
  'needs-existing-item': 'the route needs an existing item',
  'needs-valid-values': 'no valid value of a required argument is known',
  'refused-otherwise': 'the site refused the request for another reason',
  'own-check': 'the site refused it by a check of its own, which may accept other values',
};

const MAX_COLUMN_WIDTH = 60;

/**
 * Formats the result of a calibration for a person.
 *
 * @param folder the state folder; `undefined` when the evidence was not stored
 */
export function formatCalibrationSummary(report: CalibrationReport, folder: string | undefined): string {
  const { definitions, findings, known, requests, site, stopped } = report;
  const width = Math.min(MAX_COLUMN_WIDTH, Math.max(0, ...findings.map((each) => describeRule(each).length)));
  const sections = (['confirmed', 'overruled', 'mixed', 'open'] as const).flatMap((outcome) => {
    const listed = findings.filter((finding) => finding.outcome === outcome);
    return listed.length === 0
      ? []
      : [
          `  ${listed.length} ${OUTCOMES[outcome]}`,
          ...listed.map((finding) => formatFinding(finding, width)),
        ];
  });
  return `${[
    site,
    `  ${countOf(requests, 'request')} for ${countOf(definitions, 'definition')} of arguments; ${known} of them had no rule to find out`,
    ...sections,
    ...(stopped === undefined ? [] : [`  ${STOPPED[stopped]}`]),
    folder === undefined
      ? 'The evidence was not stored. To store it: --state <folder>'
      : `Evidence in ${folder}. Start waygate serve --state ${folder} --mode enforce to use it; a gateway that runs uses it from its next discovery on (SIGHUP).`,
  ].join('\n')}\n`;
}

const STOPPED = {
  interrupted: 'Interrupted. The same command continues.',
  unreachable: 'Stopped early: the site could not be reached. The same command continues.',
} as const;

function formatFinding(finding: RuleFinding, width: number): string {
  const { operations, reason } = finding;
  return `    ${describeRule(finding).padEnd(width)}  ${reason === undefined ? countOf(operations.length, 'operation') : REASONS[reason]}`;
}

function describeRule({ namespace, param, rule }: RuleFinding): string {
  return [namespace, param, rule].filter((part) => part !== '').join(' ');
}
