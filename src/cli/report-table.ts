import type { OperationEvidence, SiteEvidence } from './report-read.ts';

/** Columns of the table, in order: what stands above, and what stands in it. */
const COLUMNS: readonly (readonly [string, (operation: OperationEvidence) => string])[] = [
  ['operation', ({ operation, method, route }) => operation ?? `${method} ${route}`],
  ['seen', ({ seen }) => String(seen)],
  ['would refuse', ({ wouldRefuse }) => String(wouldRefuse)],
  ['refused', ({ refused }) => String(refused)],
  ['agreed', ({ agreed }) => String(agreed.accepted + agreed.refused)],
  ['disagreed', ({ disagreed }) => String(disagreed)],
  ['missed', ({ missed }) => String(missed)],
  ['mode', ({ enforced, mode }) => (mode === 'enforce' && !enforced ? 'enforce, still watched' : mode)],
  ['ready', ({ ready }) => (ready ? 'yes' : 'no')],
];

/** What a person reads of the evidence. */
export function reportText(sites: readonly SiteEvidence[]): string {
  return `${sites.map(siteText).join('\n\n')}\n`;
}

function siteText(site: SiteEvidence): string {
  const { afterAgreement, mode, operations } = site;
  const after = afterAgreement === null ? '' : `, after ${afterAgreement} agreements in a row`;
  const heading = `${site.site}: ${mode}${after}`;
  if (operations.length === 0) return `${heading}\n  No request has been judged yet.${answersText(site)}`;
  const rows = [
    COLUMNS.map(([title]) => title),
    ...operations.map((each) => COLUMNS.map(([, of]) => of(each))),
  ];
  const lines = aligned(rows);
  const [titles = ''] = lines;
  const shown = operations.flatMap((operation, index) => [
    `  ${lines[index + 1] ?? ''}`,
    ...remarksOf(operation).map((remark) => `      ${remark}`),
  ]);
  return `${[heading, `  ${titles}`, ...shown].join('\n')}${answersText(site)}`;
}

/** Names to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        /^\d+$/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

function remarksOf({ missedParams, rules }: OperationEvidence): readonly string[] {
  const wrong = rules
    .filter(({ disagreed }) => disagreed > 0)
    .map(
      ({ disagreed, examples, param, rule, setAside }) =>
        `${param === '' ? 'the request' : param}: ${rule} would refuse what the site took, ${times(disagreed)}${shown(examples)}${setAside ? '; set aside' : ''}`,
    );
  const missed = missedParams.map(
    ({ count, examples, param }) =>
      `${param === '' ? 'the request' : param}: the site refused what no rule would, ${times(count)}${shown(examples)}`,
  );
  return [...wrong, ...missed];
}

function shown(examples: readonly { readonly value: string; readonly status: number }[]): string {
  return examples.length === 0
    ? ''
    : ` (${examples.map(({ value, status }) => `${value}: ${status}`).join('; ')})`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function answersText({ responses }: SiteEvidence): string {
  if (responses === null || responses.judged === 0) return '';
  const lines = responses.operations
    .filter(({ findings }) => findings.length > 0)
    .flatMap(({ findings, judged, operation, right }) => [
      `    ${operation}: ${right} of ${judged} as the document says`,
      ...findings.map(
        ({ answers, kind, pointer, saw }) =>
          `      ${pointer === '' ? '(the whole)' : pointer}: ${kind}, ${saw} in ${answers} of ${judged}`,
      ),
    ]);
  return `\n  Answers held against the document: ${responses.judged}\n${lines.join('\n')}`.trimEnd();
}
