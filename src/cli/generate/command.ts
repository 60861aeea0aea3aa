import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics.ts';
import { isReadAsUser } from '../../base/document-extensions.ts';
import { ConfigurationError, WaygateError } from '../../base/errors.ts';
import type { GenerateFlags } from '../../base/option-types.ts';
import { countOf } from '../../base/text.ts';
import { compareDocuments } from '../../generator/changes/compare-documents.ts';
import { type ComparisonResult, countChanges, formatChanges } from '../../generator/changes/context.ts';
import { withoutCredentials } from '../../generator/discovery/address.ts';
import { dereference, eitherItemOf } from '../../generator/openapi/document-objects.ts';
import type { OpenApiDocument } from '../../generator/openapi/index.ts';
import { listOperations, listShown } from '../../generator/openapi/operations.ts';
import { isStatement, isTyped } from '../../generator/reconcile/seen-responses.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { readFileIfPresent, writeFiles } from '../output-files.ts';
import WORDS from '../words.json' with { type: 'json' };
import { type GenerationJob, type JobResult, resolveJobs, runJob } from './jobs.ts';

type JobOutcome = readonly [code: ExitCode, json: unknown];

export async function runGenerate(
  io: CommandIo,
  url: string | undefined,
  flags: GenerateFlags,
): Promise<ExitCode> {
  const jobs = await resolveJobs(url, flags, io);
  const outcomes: JobOutcome[] = [];
  for (const job of jobs) outcomes.push(await tryJob(job, jobs.length > 1, flags, io));
  if (flags.json === true) {
    const values = outcomes.map(([, json]) => json);
    io.writeOut(toJsonText(jobs.length === 1 ? values[0] : values));
  }
  const codes = outcomes.map(([code]) => code).sort();
  return codes.at(-1) ?? 0;
}

async function tryJob(
  job: GenerationJob,
  isOneOfSeveral: boolean,
  flags: GenerateFlags,
  io: CommandIo,
): Promise<JobOutcome> {
  try {
    const result = await runJob(job, flags.check === true, io);
    for (const { rule, message } of result.report?.diagnostics ?? [])
      if (rule.startsWith('overlay-')) io.writeErr(`waygate: ${message}\n`);
    return await (flags.check === true ? checkJob : writeJob)(result, flags, io);
  } catch (error) {
    if (!isOneOfSeveral || !(error instanceof WaygateError)) throw error;
    const name = job.name ?? (job.url === undefined ? job.document : withoutCredentials(job.url));
    io.writeErr(`waygate: ${name}: ${error.message}\n`);
    return [error.exitCode, { site: name, error: error.message }];
  }
}

async function writeJob(result: JobResult, flags: GenerateFlags, io: CommandIo): Promise<JobOutcome> {
  await writeFiles(resolve(io.cwd ?? process.cwd(), result.out), result.files);
  if (flags.json !== true) io.writeOut(formatGenerationSummary(result));
  const isPartial = result.isMuchUnread && result.stored === undefined;
  return [isPartial ? 3 : 0, result.report ?? { files: [...result.files.keys()] }];
}

async function checkJob(result: JobResult, flags: GenerateFlags, io: CommandIo): Promise<JobOutcome> {
  const missing = findMissingCredentials(result);
  if (missing !== undefined) {
    throw new ConfigurationError(
      `${missing}. Nothing was compared. Set WAYGATE_AUTH to user:application-password, or generate the files again without credentials`,
    );
  }
  const check = await checkFiles(result, io.cwd ?? process.cwd());
  const isStale = check.stale.length > 0;
  const { isKept, report, unread } = result;
  if (flags.json !== true) {
    io.writeOut(formatCheck(check, listAdvice(report?.diagnostics ?? [])));
    const refused = (report?.diagnostics ?? []).filter(({ rule }) => rule === 'options-refused');
    const unheard = [...unread, ...(isStale ? [] : refused.map(({ message }) => message.replace(/\.$/, '')))];
    const reason = isKept ? 'the site did not answer' : 'resources did not answer their OPTIONS request';
    if (unheard.length > 0) io.writeOut(`Not compared, because ${reason}: ${unheard.join(', ')}.\n`);
  }
  const { changes, omitted } = check.comparison;
  const json = {
    stale: isStale,
    differences: check.stale.map(describeStaleFile),
    changes,
    omittedChanges: omitted,
    incomparable: check.incomparable,
    unread,
    report: result.report,
  };
  // Without a comparison nobody knows whether a change breaks something.
  const isSevere = [...changes.map(({ severity }) => severity), ...(omitted > 0 ? ['breaking'] : [])].some(
    (severity) => severity === 'breaking' || severity === flags.failOn,
  );
  // If the interface is unchanged, a missing file was deleted; otherwise it can be of a new namespace.
  const isDeleted = changes.length === 0 && check.stale.some(({ state }) => state === 'missing');
  const fails =
    (flags.failOn ?? 'any') === 'any' || check.incomparable !== undefined || isSevere || isDeleted;
  if (isStale && fails) return [1, json];
  return [flags.strictRead === true && unread.length > 0 ? 3 : 0, json];
}

interface StaleFile {
  readonly path: string;
  readonly state: 'missing' | 'stale';
}

interface FileCheck {
  /** A changed title or description of the site makes no file stale. */
  readonly stale: readonly StaleFile[];
  readonly comparison: ComparisonResult;
  readonly incomparable?: string;
  readonly files: number;
}

const NO_CHANGES: ComparisonResult = { changes: [], omitted: 0 };

async function checkFiles(result: JobResult, cwd: string): Promise<FileCheck> {
  const { document, files, name: base, out, report, stored } = result;
  const stale: StaleFile[] = [];
  for (const [name, print] of files) {
    const path = join(out, name);
    // Git on Windows checks files out with CRLF.
    const current = (await readFileIfPresent(resolve(cwd, path)))?.replaceAll('\r\n', '\n') ?? null;
    const text = [...(await print())].join('');
    const isFresh = current === text || (current !== null && readTokens(current) === readTokens(text));
    if (!isFresh) stale.push({ path, state: current === null ? 'missing' : 'stale' });
  }
  if (stored === undefined || report === undefined) {
    const incomparable = `What changed is unknown, because ${join(out, `${base}.openapi.json`)} has no earlier version that can be compared.`;
    return { stale, comparison: NO_CHANGES, incomparable, files: files.size };
  }
  // Large documents take a second to compare, and most are unchanged.
  const comparison = stale.length > 0 ? compareDocuments(stored, document) : NO_CHANGES;
  return { stale, comparison, files: files.size };
}

/** @returns a sentence if only the earlier run had credentials: then a difference says nothing about the site */
function findMissingCredentials(result: JobResult): string | undefined {
  const { document, job, name, out, report, stored } = result;
  if (job.document !== undefined || isReadAsUser(document)) return undefined;
  if (stored === undefined || !isReadAsUser(stored)) return undefined;
  const isIgnored = report?.diagnostics.some(({ rule }) => rule.startsWith('credentials-')) === true;
  const now = isIgnored ? 'the site refused those of this run' : 'this run has none';
  return `${join(out, `${name}.openapi.json`)} was generated with credentials, and ${now}, so routes might be missing`;
}

/** Tokens, without the characters that formatters add, remove and wrap. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[^\s,;()|]/g;

/** Equal for files that differ only in their format: Prettier changes quotes, commas and lines. */
function readTokens(code: string): string {
  return (code.match(TOKEN) ?? [])
    .map((token) =>
      /^["']/.test(token) ? token.slice(1, -1).replace(/\\(["'])/g, '$1') : token.replace(/\s+/g, ' '),
    )
    .join('\n');
}

function describeStaleFile({ path, state }: StaleFile): string {
  return `${path}: ${state}`;
}

const MAX_PRINTED_CHANGES = 50;

function formatCheck(
  { comparison, files, incomparable, stale }: FileCheck,
  remarks: readonly string[],
): string {
  const changes = formatChanges(comparison, MAX_PRINTED_CHANGES).map((line) => `  ${line}`);
  if (stale.length === 0) return `${files} files are up to date.\n`;
  return `${[
    ...(changes.length === 0 ? [] : [`${countChanges(comparison)}:`, ...changes]),
    ...(changes.length > 0 || stale.every(({ state }) => state === 'missing')
      ? []
      : [incomparable ?? UNCHANGED_INTERFACE]),
    ...(remarks.length === 0 ? [] : [`Attention: ${remarks.join('; ')}.`]),
    ...stale.map(describeStaleFile),
    'Run waygate generate without --check to update them.',
  ].join('\n')}\n`;
}

const UNCHANGED_INTERFACE =
  'The interface did not change: only texts or data for the gateway differ, or the files were edited, or other options or another version of waygate wrote them.';

function formatGenerationSummary(result: JobResult): string {
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
  { document, isKept, report, unread }: JobResult,
  responses: ReturnType<typeof countTypedResponses>,
): readonly string[] {
  const remarks = [...listAdvice(report?.diagnostics ?? [])];
  if (isKept) remarks.push(`the earlier document stays, because the site did not answer: ${unread.join()}`);
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
    const messages = found.map(({ message }) => message.replace(/\.$/, '')).join('; ');
    return found.length === 0
      ? []
      : [
          text
            .replace('{count}', String(found.length))
            .replace('{routes}', () => routes)
            .replace('{messages}', () => messages),
        ];
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
