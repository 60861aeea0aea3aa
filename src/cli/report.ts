import type { ReportFlags } from '../../generated/option-types.d.ts';
import type { Described } from '../json.ts';
import EVIDENCE from './evidence.json' with { type: 'json' };
import { requireHttpUrl } from './flags.ts';
import { requestReports } from './gateway-client.ts';
import { alignColumns, type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';

export async function runReport(io: CommandIo, stated: string, flags: ReportFlags): Promise<ExitCode> {
  const sites = await requestReports(requireHttpUrl(stated), flags, io, 'validation', EVIDENCE.validation);
  io.writeOut(flags.json === true ? toJsonText({ sites }) : `${sites.map(formatSite).join('\n\n')}\n`);
  return 0;
}

type SiteEvidence = Described<typeof EVIDENCE.validation>;
type OperationEvidence = SiteEvidence['operations'][number];

/** Columns of the table in order: the title and the cell of an operation. */
const COLUMNS: readonly (readonly [string, (operation: OperationEvidence) => string])[] = [
  ['operation', ({ operation, method, route }) => onOneLine(operation ?? `${method} ${route}`)],
  ['seen', ({ validated }) => String(validated)],
  ['would refuse', ({ wouldRefuse }) => String(wouldRefuse)],
  ['refused', ({ refused }) => String(refused)],
  ['agreed', ({ agreed }) => String(agreed.accepted + agreed.refused)],
  ['disagreed', ({ disagreed }) => String(disagreed)],
  ['missed', ({ missed }) => String(missed)],
  ['mode', ({ mode }) => mode],
];

function formatSite(site: SiteEvidence): string {
  const { mode, operations } = site;
  const heading = `${site.site}: ${mode}`;
  const rest = `${formatRules(site)}${formatResponses(site)}`;
  if (operations.length === 0) return `${heading}\n  No request has been validated yet.${rest}`;
  const [titles = '', ...lines] = alignColumns([
    COLUMNS.map(([title]) => title),
    ...operations.map((operation) => COLUMNS.map(([, cell]) => cell(operation))),
  ]);
  return `${[heading, ...[titles, ...lines].map((line) => `  ${line}`)].join('\n')}${rest}`;
}

/** Counts the rules of the ledger, and lists those that the site disagreed with and the parameters that no rule covers. */
function formatRules({ missedParams, rules }: SiteEvidence): string {
  if (rules.length + missedParams.length === 0) return '';
  const known = rules.filter(({ status }) => status === 'core' || status === 'confirmed');
  const disagreements = rules
    .filter(({ disagreed }) => disagreed > 0)
    .map(
      ({ disagreed, examples, rule, suspended, ...of }) =>
        `${nameParameter(of)}: the site accepted requests that violate ${rule}, ${formatCount(disagreed)}${formatExamples(examples)}${suspended ? '; suspended' : ''}`,
    );
  const missed = missedParams.map(
    ({ count, examples, ...of }) =>
      `${nameParameter(of)}: the site refused requests that violate no rule, ${formatCount(count)}${formatExamples(examples)}`,
  );
  const heading = `Rules that requests have violated: ${rules.length}, of which ${known.length} ${known.length === 1 ? 'is' : 'are'} known`;
  return ['', heading, ...[...disagreements, ...missed].map((line) => `  ${line}`)].join('\n  ');
}

function nameParameter(of: { readonly namespace: string; readonly param: string }): string {
  return onOneLine(`${of.namespace} ${of.param === '' ? '(the request)' : of.param}`);
}

function formatExamples(examples: readonly { readonly value: string; readonly status: number }[]): string {
  if (examples.length === 0) return '';
  return ` (${examples.map(({ value, status }) => `${value}: ${status}`).join('; ')})`;
}

function formatCount(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function formatResponses({ responses }: SiteEvidence): string {
  if (responses === null || responses.validated === 0) return '';
  const lines = responses.operations
    .filter(({ findings }) => findings.length > 0)
    .flatMap(({ correct, findings, operation, validated }) => [
      `    ${operation}: ${correct} of ${validated} conform to the document`,
      ...findings.map(
        ({ actual, kind, pointer, responses: count }) =>
          `      ${pointer === '' ? '(the whole response)' : onOneLine(pointer)}: ${kind}, ${actual} in ${count} of ${validated}`,
      ),
    ]);
  return `\n  Responses validated against the document: ${responses.validated}\n${lines.join('\n')}`.trimEnd();
}
