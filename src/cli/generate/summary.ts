import { join } from 'node:path';
import { countOf } from '../../base/count-of.ts';
import type { Diagnostic } from '../../base/diagnostics.ts';
import { isReadAsUser } from '../../base/document-extensions.ts';
import { dereference } from '../../generator/openapi/document-references.ts';
import type { OpenApiDocument } from '../../generator/openapi/index.ts';
import { listOperations } from '../../generator/openapi/operations.ts';
import { eitherItemOf } from '../../generator/openapi/schema-view.ts';
import { listShown } from '../../generator/openapi/shown-operations.ts';
import { isStatement, isTyped } from '../../generator/reconcile/document-operations.ts';
import WORDS from '../words.json' with { type: 'json' };
import type { JobResult } from './run-job.ts';

export function formatGenerationSummary(result: JobResult): string {
  const { document } = result;
  const { operations, typed } = countTypedResponses(document);
  const known = describeSources(typed, result.report) ?? `, ${typed} with a typed response`;
  return `${[
    `${join(result.out, fileGroup(result))}: ${countOf(operations, 'operation')}${known}`,
    ...attentionLines(result, { operations, typed }),
    nextLine(result),
    ...(isReadAsUser(document) ? ['  The index was read with credentials, so --check needs them too.'] : []),
    ...(result.overlay === undefined ? [] : [overlayLine(result)]),
  ].join('\n')}\n`;
}

/** `: 391 typed by the site, 54 by conventions; 0 compared with a response`. */
function describeSources(typed: number, report: JobResult['report']): string | undefined {
  if (report === undefined) return undefined;
  const { conventions, site } = report.counts.typed;
  const bySite = Math.min(site, typed - conventions);
  const learned = typed - bySite - conventions;
  return [
    `: ${bySite} typed by the site, ${conventions} by conventions`,
    ...(learned > 0 ? [`, ${learned} by samples and settings`] : []),
    `; ${report.compared?.length ?? 0} compared with a response`,
  ].join('');
}

/** The files of a result in one name: `site.{openapi.json,ts,report.json}`. */
function fileGroup({ files, name }: JobResult): string {
  const endings = [...files.keys()].map((file) => file.slice(name.length + 1));
  return endings.length === 1 ? `${name}.${endings[0]}` : `${name}.{${endings.join(',')}}`;
}

function attentionLines(
  { document, report }: JobResult,
  responses: ReturnType<typeof countTypedResponses>,
): readonly string[] {
  const remarks = [...listAdvice(report?.diagnostics ?? [])];
  const unknown = responses.operations - responses.typed;
  if (unknown > 0) remarks.push(`${countOf(unknown, 'response')} of unknown type`);
  const guesses = listOperations(document).flatMap(({ method, path, responseSchema }) =>
    responseSchema !== undefined && eitherItemOf(responseSchema) !== undefined ? [`${method} ${path}`] : [],
  );
  if (guesses.length > 0)
    remarks.push(`typed as one object or a list, which is a guess: ${guesses.join(', ')}`);
  if (remarks.length === 0) return [];
  return [
    `Attention: ${remarks.join('; ')}.`,
    ...(unknown === 0
      ? []
      : [
          'To learn their types from the site, with GET requests only: waygate reconcile, with the same site, --out and --name.',
        ]),
  ];
}

function nextLine({ files, name, out }: JobResult): string {
  const [file, imported] =
    [
      [`${name}.client.ts`, 'createClient'],
      [`${name}.ts`, 'type paths'],
    ].find(([each = '']) => files.has(each)) ?? [];
  const check = 'in CI, run the same command with --check.';
  if (file === undefined) return `Next: ${check}`;
  return `Next: import ${imported} from ${join(out, file)}; ${check}`;
}

function overlayLine({ files, name, overlay, report }: JobResult): string {
  const actions = report?.overlay?.length;
  if (actions === undefined) return `  overlay applied (${overlay})`;
  const listed = files.has(`${name}.report.json`) ? '; the report lists each' : '';
  return `  ${countOf(actions, 'overlay action')} applied (${overlay})${listed}`;
}

const ADVICE: Readonly<Record<string, string>> = WORDS.advice;

export function listAdvice(diagnostics: readonly Diagnostic[]): readonly string[] {
  return Object.entries(ADVICE).flatMap(([rule, text]) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.rule === rule);
    const routes = found.map(({ route = '' }) => route).join(', ');
    return found.length === 0
      ? []
      : [text.replace('{count}', String(found.length)).replace('{routes}', () => routes)];
  });
}

function countTypedResponses(document: OpenApiDocument): Record<'operations' | 'typed', number> {
  const operations = listShown(listOperations(document));
  const typed = operations.filter((operation) => {
    const { responseSchema } = operation;
    // The site can name the schema of a response and not describe it.
    if (responseSchema === undefined) return isTyped(operation);
    return isStatement(dereference(responseSchema, document));
  });
  return { operations: operations.length, typed: typed.length };
}
