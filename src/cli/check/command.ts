import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CheckFlags, Config, ServeFlags } from '../../../generated/option-types.d.ts';
import { readConfig } from '../../config/config.ts';
import { ConfigurationFile } from '../../config/configuration-file.ts';
import { listSettings, writePath } from '../../config/list-settings.ts';
import { findSetting } from '../../config/settings.ts';
import { countOf } from '../../count-of.ts';
import { ConfigurationError, messageOf } from '../../errors.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { formatAnnotation, toWorkspacePath } from '../output-files.ts';
import { readStatedConfig } from '../serve/resolve-config.ts';
import { checkServer } from './check-server.ts';
import { checkSites } from './check-sites.ts';
import { type ConfigurationProblem, DEFAULT_FILE, type ReportProblem } from './problems.ts';

export async function runCheck(
  io: CommandIo,
  file: string | undefined,
  flags: CheckFlags,
): Promise<ExitCode> {
  const name = file ?? DEFAULT_FILE;
  return checkConfiguration(io, { site: [], config: resolve(io.cwd ?? '', name) }, flags, name);
}

/**
 * Finds everything that can be known of a configuration without serving, and prints all problems.
 *
 * @param name of the configuration file, as the user has written it
 * @throws {ConfigurationError} when the configuration file cannot be read
 */
export async function checkConfiguration(
  io: CommandIo,
  flags: ServeFlags,
  { format, offline = false }: CheckFlags,
  name: string = flags.config ?? 'the configuration',
): Promise<ExitCode> {
  const problems: ConfigurationProblem[] = [];
  let summary = '';
  const file = flags.config === undefined ? undefined : new ConfigurationFile(flags.config);
  try {
    const { input, locator, missing } = await readStatedConfig(flags, io.env);
    const report: ReportProblem = (severity, message) => {
      const { column, line, source } = locator.find(message) ?? {};
      problems.push(omitUndefined({ severity, message, line, column, source }));
    };
    const result = readConfig(input, missing);
    if (result.ok) {
      summary = await checkWhole(result.config, offline, report);
    } else {
      for (const error of result.errors) report('error', error);
      await checkPaths(input, report);
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const found = file?.syntaxErrors ?? [];
    const severity = 'error';
    problems.push(
      ...found.map(({ column, line, message }) => ({ severity, message, line, column }) as const),
    );
    if (found.length === 0) problems.push({ severity, message: error.message });
  }
  const ordered = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  io.writeOut(
    FORMATS[format](ordered, format === 'github' ? toWorkspacePath(flags.config ?? '', io) : name, summary),
  );
  return problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** Looks for the files of a configuration that is invalid otherwise. */
async function checkPaths(input: unknown, report: ReportProblem): Promise<void> {
  for (const { path, setting, value } of listSettings(input, findSetting('serve'))) {
    const name = writePath(path);
    if (setting.isPath !== true || typeof value !== 'string' || name === 'state' || value === setting.keyword)
      continue;
    await access(value).catch((error: unknown) => report('error', `${name}: ${messageOf(error)}`));
  }
}

/** Checks what a valid configuration refers to. @returns what was checked, in words */
async function checkWhole(config: Config, offline: boolean, report: ReportProblem): Promise<string> {
  const [operations] = await Promise.all([
    checkSites(config, offline, report),
    checkServer(config, offline, report),
  ]);
  return `${countOf(config.sites.length, 'site')}, ${countOf(operations, 'operation')}`;
}

/** Writes problems. @param summary what was checked */
type Format = (problems: readonly ConfigurationProblem[], file: string, summary: string) => string;

const FORMATS: Readonly<Record<CheckFlags['format'], Format>> = {
  text(problems, file, summary) {
    const lines = problems.map(({ column, line, message, severity, source }) => {
      const place = source ?? (line === undefined ? file : `${file}:${line}:${column}`);
      return `${place}: ${severity}: ${message.replaceAll('\n', '\n  ')}\n`;
    });
    if (lines.length === 0) return `${file}: no problems (${summary})\n`;
    const count = (severity: string): number => problems.filter((each) => each.severity === severity).length;
    return `${lines.join('')}${countOf(count('error'), 'error')}, ${countOf(count('warning'), 'warning')}\n`;
  },
  json: (problems, file) => toJsonText({ file, problems }),
  github: (problems, file) =>
    problems
      .map(({ severity: level, source, ...problem }) =>
        formatAnnotation({ ...problem, level, file, title: `waygate check${source ? ` (${source})` : ''}` }),
      )
      .join(''),
};
