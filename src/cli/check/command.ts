import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CheckFlags, Config, ServeFlags } from '../../../generated/option-types.d.ts';
import { readConfig } from '../../config/config.ts';
import { ConfigurationFile } from '../../config/configuration-file.ts';
import { listSettings, SETTINGS, writePath } from '../../config/settings.ts';
import { countOf } from '../../count-of.ts';
import { ConfigurationError, messageOf } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { formatAnnotation, toWorkspacePath } from '../output-files.ts';
import { readStatedConfig, type StatedConfig } from '../serve/resolve-config.ts';
import { checkServer } from './check-server.ts';
import { checkPorts, checkSettings } from './check-settings.ts';
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
    const stated = await readStatedConfig(flags, io.env);
    const report: ReportProblem = (severity, message) => {
      const isOfWrongUrl = (each: ConfigurationProblem): boolean =>
        /^sites\[\d+\]\.url: (?:must be|is required)/.test(each.message) &&
        message.startsWith(`${each.message.split(':', 1)[0]}: `);
      if (problems.some((each) => each.message === message || isOfWrongUrl(each))) return;
      const { column, line, source } = stated.locator.find(message) ?? {};
      problems.push(omitUndefined({ severity, message, line, column, source }));
    };
    const config = readRest(stated, report);
    if (config === undefined) await checkPaths(stated.input, report);
    else summary = await checkWhole(config, offline, report);
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

/** Reports what is invalid. @returns the rest, unless it lacks what is required */
function readRest({ input, missing }: StatedConfig, report: ReportProblem): Config | undefined {
  let rest = input;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = readConfig(rest, round === 0 ? missing : undefined);
    if (result.ok) return result.config;
    const { config, errors } = result;
    if (round === 0 || config !== undefined) for (const error of errors) report('error', error);
    if (config !== undefined) return config;
    rest = withoutErrors(rest, '', new Set(errors.map((error) => error.split(/[:\s]/, 1)[0] ?? '')));
  }
  return undefined;
}

/** What lacks something required goes with the section around it. */
const MAX_ROUNDS = 5;

/**
 * Removes what an error is about, a section that lacks something, and a list whose members would get other positions. A site whose
 * URL is wrong gets one that has no server, so that the rest of it and the other sites are checked.
 */
function withoutErrors(value: unknown, path: string, wrong: ReadonlySet<string>): unknown {
  if (wrong.has(path)) return /^sites\[\d+\]\.url$/.test(path) ? 'http://url.invalid' : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => withoutErrors(item, `${path}[${at}]`, wrong));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isJsonObject(value)) return value;
  const prefix = path === '' ? '' : `${path}.`;
  const isIncomplete = [...wrong].some((each) => {
    const name = each.startsWith(prefix) ? each.slice(prefix.length) : '.';
    return path !== '' && !/[.[]/.test(name) && value[name] === undefined;
  });
  if (isIncomplete) return undefined;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withoutErrors(member, `${prefix}${name}`, wrong)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Looks for the files of a configuration that is invalid otherwise. */
async function checkPaths(input: unknown, report: ReportProblem): Promise<void> {
  for (const { path, setting, value } of listSettings(input, SETTINGS.serve)) {
    const name = writePath(path);
    if (
      setting.format !== 'path' ||
      typeof value !== 'string' ||
      name === 'state' ||
      setting.examples?.includes(value) === true
    )
      continue;
    await access(value).catch((error: unknown) => report('error', `${name}: ${messageOf(error)}`));
  }
}

/** Checks what a valid configuration refers to. @returns what was checked, in words */
async function checkWhole(config: Config, offline: boolean, report: ReportProblem): Promise<string> {
  checkSettings(config, report);
  const [operations] = await Promise.all([
    checkSites(config, offline, report),
    checkServer(config, offline, report),
    offline ? undefined : checkPorts(config, report),
  ]);
  return `${countOf(config.sites.length, 'site')}, ${countOf(operations, 'operation')}`;
}

/** Writes problems. @param summary what was checked */
type Format = (problems: readonly ConfigurationProblem[], file: string, summary: string) => string;

const FORMATS: Readonly<Record<CheckFlags['format'], Format>> = {
  text(problems, file, summary) {
    const lines = problems.map(({ column, line, message, severity, source }) => {
      const place = source ?? (line === undefined ? file : `${file}:${line}:${column}`);
      return `${place}: ${severity}: ${message.trimEnd().replaceAll('\n', '\n  ')}\n`;
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
