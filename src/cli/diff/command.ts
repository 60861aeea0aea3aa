import { relative, resolve } from 'node:path';
import type { DiffFlags } from '../../../generated/option-types.d.ts';
import {
  type ChangeSeverity,
  type ComparisonResult,
  compareDocuments,
  countChanges,
  type DocumentChange,
  formatChange,
  SEVERITIES,
} from '../../changes/index.ts';
import { countOf } from '../../count-of.ts';
import { withoutCredentials } from '../../discovery/redact.ts';
import { ConfigurationError } from '../../errors.ts';
import { runSteps } from '../../steps.ts';
import { toMarkdownCode, toMarkdownText } from '../../ui/text.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { formatAnnotation, readFileIfPresent } from '../output-files.ts';
import { leaveOut, readIgnoredChanges } from './ignored-changes.ts';
import { isUrl, readDocument } from './read-document.ts';

/** Compares two documents and prints the changes. */
export async function runDiff(
  io: CommandIo,
  old: string,
  current: string,
  flags: DiffFlags,
): Promise<ExitCode> {
  requireOneSite(old, current, flags, io);
  const ignored = await readIgnoreFile(flags.ignore, io);
  const before = await readDocument(old, flags, io);
  const after = await readDocument(current, flags, io);
  const { count, rest, unused } = leaveOut(runSteps(compareDocuments(before, after)), ignored);
  for (const line of unused) io.writeErr(`waygate: ${flags.ignore}:${line} matches no change\n`);
  io.writeOut(
    FORMATS[flags.format](rest, {
      old: withoutCredentials(old),
      current: withoutCredentials(current),
      ignored: count,
      file: [current, old].find((source) => !isUrl(source)),
      io,
    }),
  );
  // Changes beyond the limit may be of any severity.
  const fails = isSevere(flags.failOn);
  return rest.omitted > 0 || rest.changes.some(({ severity }) => fails(severity)) ? 1 : 0;
}

function isSevere(least: ChangeSeverity): (severity: ChangeSeverity) => boolean {
  return (severity) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** @throws {ConfigurationError} when the credentials of one site would be sent to another */
function requireOneSite(old: string, current: string, { auth, header }: DiffFlags, { env }: CommandIo): void {
  const origins = new Set([old, current].filter(isUrl).map((url) => new URL(url).origin));
  const credentials = auth ?? env['WAYGATE_AUTH'] ?? '';
  if (origins.size < 2 || (credentials === '' && header.length === 0)) return;
  throw new ConfigurationError(
    'the credentials and header fields of one site would be sent to another: write the document of one to a file (waygate generate --only document), and compare that',
  );
}

async function readIgnoreFile(path: string | undefined, { cwd = '' }: CommandIo) {
  if (path === undefined) return [];
  const text = await readFileIfPresent(resolve(cwd, path));
  if (text === null) throw new ConfigurationError(`--ignore ${path}: there is no such file`);
  return readIgnoredChanges(text, path);
}

interface DiffContext {
  readonly old: string;
  readonly current: string;
  /** Number of changes that the file of ignored changes has. */
  readonly ignored: number;
  /** The file that is compared; `undefined` if there is none. */
  readonly file: string | undefined;
  readonly io: CommandIo;
}

const TITLES: Readonly<Record<ChangeSeverity, string>> = {
  breaking: 'Breaking',
  risky: 'Risky',
  compatible: 'Compatible',
  cosmetic: 'Texts only',
};

/** GitHub shows this number of annotations of a step and level. */
const MAX_ANNOTATIONS = 10;

const FORMATS: Readonly<
  Record<DiffFlags['format'], (comparison: ComparisonResult, context: DiffContext) => string>
> = {
  text(comparison, context) {
    const lines = comparison.changes.map((change) => `  ${formatChange(change)} [${change.rule}]`);
    return `${[summarize(comparison, context), ...lines].join('\n')}\n`;
  },
  json: ({ changes, omitted }, { current, ignored, old }) =>
    `${JSON.stringify({ old, new: current, changes, omitted, ignored }, null, 2)}\n`,
  markdown(comparison, context) {
    const { current, old } = context;
    const sections = SEVERITIES.flatMap((severity) => {
      const changes = comparison.changes.filter((change) => change.severity === severity);
      return changes.length === 0 ? [] : ['', `### ${TITLES[severity]}`, '', ...changes.map(toItem)];
    });
    const head = `## From ${toMarkdownCode(old)} to ${toMarkdownCode(current)}`;
    return `${[head, '', `${summarize(comparison, context)}`, ...sections].join('\n')}\n`;
  },
  github(comparison, { file, io: { cwd = '', env } }) {
    const path = file && relative(env['GITHUB_WORKSPACE'] ?? cwd, resolve(cwd, file));
    const levels = [
      ['breaking', 'error'],
      ['risky', 'warning'],
      ['compatible', 'notice'],
    ] as const;
    return levels
      .flatMap(([severity, level]) =>
        comparison.changes
          .filter((change) => change.severity === severity)
          .slice(0, MAX_ANNOTATIONS)
          .map((change) =>
            formatAnnotation({ level, file: path, title: 'waygate diff', message: formatChange(change) }),
          ),
      )
      .join('');
  },
};

function summarize(comparison: ComparisonResult, { ignored }: DiffContext): string {
  const { changes, omitted } = comparison;
  return [
    changes.length === 0 ? 'no changes' : countChanges(comparison),
    ...(omitted === 0 ? [] : [`${countOf(omitted, 'further change')}`]),
    ...(ignored === 0 ? [] : [`${countOf(ignored, 'ignored change')}`]),
  ].join(', ');
}

/** A list item with all operations. */
function toItem({ operations, rule, subject, text }: DocumentChange): string {
  const clause = [subject, text].filter((part) => part !== '').join(': ');
  const names = operations.map((operation) => toMarkdownCode(operation)).join(', ');
  return `- ${names === '' ? '' : `${names}: `}${toMarkdownText(clause)} (\`${rule}\`)`;
}
