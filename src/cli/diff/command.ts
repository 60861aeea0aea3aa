import { ConfigurationError } from '../../base/errors.ts';
import type { DiffFlags } from '../../base/option-types.ts';
import { countOf } from '../../base/text.ts';
import { compareDocuments } from '../../generator/changes/compare-documents.ts';
import { differ } from '../../generator/changes/compare-schemas.ts';
import {
  type ComparisonResult,
  countChanges,
  formatChange,
  SEVERITIES,
} from '../../generator/changes/context.ts';
import { withoutCredentials } from '../../generator/discovery/address.ts';
import type { OpenApiDocument } from '../../generator/openapi/index.ts';
import { resolveJobs, runJob } from '../generate/jobs.ts';
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
  const { changes, omitted } = comparison;
  io.writeOut(
    flags.json === true
      ? toJsonText({ old: withoutCredentials(old), new: withoutCredentials(current), changes, omitted })
      : formatComparison(comparison, changes.length === 0 && differ(before, after)),
  );
  // Changes beyond the limit can be of any severity.
  const least = SEVERITIES.indexOf(flags.failOn);
  const fails = changes.some(({ severity }) => SEVERITIES.indexOf(severity) <= least);
  return fails || omitted > 0 ? 1 : 0;
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

const ONLY_OTHERS = 'only texts or data for the gateway differ';

function formatComparison(comparison: ComparisonResult, hasOthers: boolean): string {
  const { changes, omitted } = comparison;
  const summary = [
    changes.length > 0 ? countChanges(comparison) : hasOthers ? ONLY_OTHERS : 'no changes',
    ...(omitted === 0 ? [] : [countOf(omitted, 'further change')]),
  ].join(', ');
  const lines = changes.map((change) => `  ${formatChange(change)} [${change.rule}]`);
  return `${[summary, ...lines].join('\n')}\n`;
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function readDocument(
  source: string,
  { json: _, ...flags }: DiffFlags,
  io: CommandIo,
): Promise<OpenApiDocument> {
  const [url, document] = isUrl(source) ? [source, undefined] : [undefined, source];
  try {
    const [job] = await resolveJobs(url, { ...flags, document, overlay: false }, io);
    if (job === undefined) throw new ConfigurationError('no document given');
    return (await runJob(job, false, io)).document;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.message.replace(/^--document /, ''), { cause: error });
  }
}
