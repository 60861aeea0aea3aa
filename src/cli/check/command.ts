import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Document } from 'yaml';
import { ConfigurationError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CheckFlags, Config } from '../../base/option-types.ts';
import { countOf } from '../../base/text.ts';
import { withoutCredentials } from '../../generator/discovery/address.ts';
import { requireConfig } from '../config/gateway-settings.ts';
import { type ListedSetting, listSettings, SETTINGS, writePath } from '../config/settings.ts';
import { type CommandIo, type ExitCode, toJsonText, withProgress } from '../io.ts';
import { type MergedConfig, readMergedConfig, requireValid } from '../serve/resolve-config.ts';
import { checkServer } from './check-server.ts';
import { checkSites } from './check-sites.ts';
import { type ConfigurationProblem, DEFAULT_FILE, type ReportProblem, reportErrors } from './problems.ts';

export async function runCheck(
  io: CommandIo,
  name: string = DEFAULT_FILE,
  { json = false, offline = false }: CheckFlags,
): Promise<ExitCode> {
  const problems: ConfigurationProblem[] = [];
  let summary = '';
  const path = resolve(io.cwd ?? '', name);
  if (!existsSync(path)) throw new ConfigurationError(`${name}: there is no such file`);
  try {
    const merged = await readMergedConfig({ site: [], config: path }, io.env);
    const report: ReportProblem = (severity, message) => {
      if (problems.some((each) => each.message === message)) return;
      const { column, line, source } = merged.locator.find(message) ?? {};
      problems.push(omitUndefined({ severity, message, line, column, source }));
    };
    const config = await reportErrors(report, '', () => requireConfig(merged.input, merged.missing));
    if (config !== undefined) {
      for (const advice of listAdvice(config, merged.locator)) report(...advice);
      summary = await checkWhole(io, config, offline, report);
    }
    await merged.file?.createApp();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems) {
      const [, line, column, message = problem] = PLACE.exec(stripPath(problem, path)) ?? [];
      const place = line && { line: Number(line), column: Number(column) };
      problems.push({ severity: 'error', message, ...place });
    }
  }
  const ordered = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  io.writeOut(json ? toJsonText({ file: name, problems: ordered }) : formatProblems(ordered, name, summary));
  return problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

function stripPath(problem: string, path: string): string {
  const start = problem.startsWith('--config ') ? `--config ${path}` : path;
  return problem.startsWith(start) ? problem.slice(start.length) : '';
}

const PLACE = /^(?::(\d+):(\d+))?: (.*)$/s;

async function checkWhole(
  io: CommandIo,
  config: Config,
  offline: boolean,
  report: ReportProblem,
): Promise<string> {
  const [operations] = await withProgress(io, (onProgress) =>
    Promise.all([checkSites(config, offline, report, onProgress), checkServer(config, offline, report)]),
  );
  return `${countOf(config.sites.length, 'site')}, ${countOf(operations, 'operation')}`;
}

/** Settings that only the operator can know. */
function* listAdvice(
  { publicUrl, sites, trust }: Config,
  locator: MergedConfig['locator'],
): Generator<Parameters<ReportProblem>> {
  for (const [at, network] of trust.entries())
    if (/^[46]:$/.test(network.prefix))
      yield ['warning', `trust[${at}]: any client can claim any address; name the networks of your proxies`];
  const isBehindProxy = trust.length === 0 && publicUrl?.startsWith('https:') === true;
  for (const [at, { access, cache, discovery, limits, passthrough }] of sites.entries()) {
    const concurrency = `sites[${at}].concurrency`;
    if (passthrough && discovery !== 'off' && locator.find(concurrency)?.isDeclared !== true)
      yield [
        'notice',
        `${concurrency}: the site can get 32 requests at once; set it a little below pm.max_children of PHP-FPM, so that a flood waits in the gateway`,
      ];
    if (passthrough && cache.webhook !== undefined)
      yield [
        'notice',
        `sites[${at}].cache.webhook: hits don't run WordPress's cron; set DISABLE_WP_CRON, and let the system run it each minute`,
      ];
    const place = [access.allow, access.deny, access.admin].some((list = []) => list.length > 0)
      ? 'access'
      : limits.client !== undefined && 'limits';
    if (isBehindProxy && place)
      yield [
        'warning',
        `sites[${at}].${place}: all clients seem to have the address of the TLS proxy; name its network in "trust"`,
      ];
  }
}

function formatProblems(problems: readonly ConfigurationProblem[], file: string, summary: string): string {
  const lines = problems.map(({ column, line, message, severity, source }) => {
    const place = source ?? (line === undefined ? file : `${file}:${line}:${column}`);
    return `${place}: ${severity}: ${message.trimEnd().replaceAll('\n', '\n  ')}\n`;
  });
  const count = (severity: string): number => problems.filter((each) => each.severity === severity).length;
  if (count('notice') === problems.length) return `${lines.join('')}${file}: no problems (${summary})\n`;
  return `${lines.join('')}${countOf(count('error'), 'error')}, ${countOf(count('warning'), 'warning')}\n`;
}

export async function runConfig(io: CommandIo, action: string, file: string | undefined): Promise<ExitCode> {
  if (action === 'schema') {
    io.writeOut(toJsonText(SETTINGS.serve));
    return 0;
  }
  if (action !== 'print')
    throw new ConfigurationError(`waygate config ${action}: the actions are print and schema`);
  const name = file ?? DEFAULT_FILE;
  const path = resolve(io.cwd ?? '', name);
  const merged = await readMergedConfig({ site: [], config: path }, io.env);
  await requireValid(merged);
  const { locator } = merged;
  const settings = Array.from(listSettings(merged.input, SETTINGS.serve), (listed) => {
    const setting = writePath(listed.path);
    const place = locator.find(setting);
    const position = place?.line === undefined ? name : `${name}:${place.line}:${place.column}`;
    const source = place?.isDeclared === true ? [place.source ?? position, ...place.references] : ['default'];
    return { path: listed.path, value: mask(listed), source: source.join(' ') };
  });
  const document = new Document({});
  for (const { path: names, source, value } of settings) {
    const node = document.createNode(value);
    node.comment = ` ${source}`;
    document.setIn(names, node);
  }
  io.writeOut(document.toString({ lineWidth: 0 }));
  return 0;
}

const MASK = '***';

function mask({ setting, value }: ListedSetting): unknown {
  if (setting.writeOnly === true) return MASK;
  return typeof value === 'string' && value.includes('://') ? withoutCredentials(value, `${MASK}@`) : value;
}
