import { relative, resolve } from 'node:path';
import { countOf } from '../../base/count-of.ts';
import { ConfigurationError } from '../../base/errors.ts';
import type { DiffFlags } from '../../base/option-types.ts';
import {
  type ComparisonResult,
  compareDocuments,
  countChanges,
  formatChange,
  SEVERITIES,
} from '../../generator/changes/index.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import type { OpenApiDocument } from '../../generator/openapi/index.ts';
import { resolveJobs } from '../generate/jobs.ts';
import { runJob } from '../generate/run-job.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';

export async function runDiff(
  io: CommandIo,
  old: string,
  current: string,
  flags: DiffFlags,
): Promise<ExitCode> {
  requireOneSite(old, current, flags, io);
  const before = await readDocument(old, flags, io);
  const after = await readDocument(current, flags, io);
  const comparison = compareDocuments(before, after);
  const file = [current, old].find((source) => !isUrl(source));
  const { cwd = process.cwd(), env } = io;
  const path = file && relative(env['GITHUB_WORKSPACE'] ?? cwd, resolve(cwd, file));
  io.writeOut(FORMATS[flags.format](comparison, withoutCredentials(old), withoutCredentials(current), path));
  // Changes beyond the limit can be of any severity.
  const least = SEVERITIES.indexOf(flags.failOn);
  const fails = comparison.changes.some(({ severity }) => SEVERITIES.indexOf(severity) <= least);
  return fails || comparison.omitted > 0 ? 1 : 0;
}

/** @throws {ConfigurationError} when the credentials of one site would be sent to another */
function requireOneSite(old: string, current: string, { auth, header }: DiffFlags, { env }: CommandIo): void {
  const origins = new Set([old, current].filter(isUrl).map((url) => new URL(url).origin));
  const credentials = auth ?? env['WAYGATE_AUTH'] ?? '';
  if (origins.size < 2 || (credentials === '' && header.length === 0)) return;
  throw new ConfigurationError(
    'two sites would get the same credentials and header fields. Write the document of one to a file (waygate generate --only document), and compare that',
  );
}

/** Levels of annotations on GitHub. Changes of texts have none. */
const LEVELS = { breaking: 'error', risky: 'warning', compatible: 'notice' };

const MAX_ANNOTATIONS = 10;

/** @param path of the compared file, for annotations */
type Format = (
  comparison: ComparisonResult,
  old: string,
  current: string,
  path: string | undefined,
) => string;

const FORMATS: Readonly<Record<DiffFlags['format'], Format>> = {
  text(comparison) {
    const lines = comparison.changes.map((change) => `  ${formatChange(change)} [${change.rule}]`);
    return `${[summarize(comparison), ...lines].join('\n')}\n`;
  },
  json: ({ changes, omitted }, old, current) => toJsonText({ old, new: current, changes, omitted }),
  github: ({ changes }, _old, _current, path) =>
    Object.entries(LEVELS)
      .flatMap(([severity, level]) => {
        const found = changes.filter((change) => change.severity === severity).slice(0, MAX_ANNOTATIONS);
        return found.map((change) => formatAnnotation(level, path, formatChange(change)));
      })
      .join(''),
};

/** A workflow command, as actions/toolkit writes it. */
function formatAnnotation(level: string, path: string | undefined, message: string): string {
  const escapeText = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const file =
    path === undefined ? '' : `file=${escapeText(path).replaceAll(':', '%3A').replaceAll(',', '%2C')},`;
  return `::${level} ${file}title=waygate diff::${escapeText(message)}\n`;
}

function summarize(comparison: ComparisonResult): string {
  const { changes, omitted } = comparison;
  return [
    changes.length === 0 ? 'no changes' : countChanges(comparison),
    ...(omitted === 0 ? [] : [countOf(omitted, 'further change')]),
  ].join(', ');
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function readDocument(
  source: string,
  { format: _, ...flags }: DiffFlags,
  io: CommandIo,
): Promise<OpenApiDocument> {
  const [url, from] = isUrl(source) ? [source, undefined] : [undefined, source];
  try {
    const [job] = await resolveJobs(url, { ...flags, from, overlay: false }, io);
    if (job === undefined) throw new ConfigurationError('no document given');
    return (await runJob(job, { keepTexts: false }, io)).document;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.message.replace(/^--from /, ''), { cause: error });
  }
}
