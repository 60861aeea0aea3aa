import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config, ServeFlags } from '../../../generated/option-types.d.ts';
import { findSetting, resolvePaths } from '../../config/settings.ts';
import { readStructuredFile } from '../../config/structured-file.ts';
import { ConfigurationError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { runSteps } from '../../steps.ts';
import { type CommandIo, type ExitCode, WORKER_VARIABLE } from '../io.ts';
import { delayOptimization } from '../optimization.ts';
import { type CommandOption, listOptions, nameOption } from '../options.ts';

export async function runServe(io: CommandIo, flags: ServeFlags): Promise<ExitCode> {
  if (flags.helpConfig === true) {
    const { createConfigJsonSchema } = await import('../../config/config.ts');
    io.writeOut(`${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`);
    return 0;
  }
  if (io.env[WORKER_VARIABLE] !== undefined && process.send !== undefined) {
    const { runWorker } = await import('./workers/worker.ts');
    return runWorker(io);
  }
  delayOptimization();
  const config = await resolveConfig(flags, io.env, io.writeErr);
  if (config.state !== undefined) {
    const { prepareStateFolder } = await import('../../node/state-folder.ts');
    await prepareStateFolder(config.state);
  }
  // The gateway is loaded only when it runs, so that --help is fast.
  const { createServeLogs } = await import('./log.ts');
  const logs = createServeLogs(config.logLevel, io);
  const workers = countWorkers(config);
  if (workers > 1) {
    const { runPrimary } = await import('./workers/primary.ts');
    return runPrimary(config, workers, logs, io);
  }
  const { runGatewayUntilSignal } = await import('./run-gateway.ts');
  return runGatewayUntilSignal(config, logs, io);
}

function countWorkers({ workers }: Config): number {
  return workers === 'auto' ? availableParallelism() : Number(workers);
}

/**
 * Merges the configuration file, the environment and the flags, and checks the result. Flags win over the file, and the
 * file wins over the environment.
 *
 * @param writeErr receives a line for each deprecated setting
 * @throws {ConfigurationError} when a file is not readable or the configuration is invalid
 */
export async function resolveConfig(
  flags: ServeFlags,
  env: CommandIo['env'],
  writeErr: CommandIo['writeErr'],
): Promise<Config> {
  const file = flags.config === undefined ? {} : await readConfigFile(flags.config);
  if (!isJsonObject(file)) {
    throw new ConfigurationError(`--config ${flags.config}: the file must hold an object`);
  }
  const sites =
    flags.site.length > 0
      ? flags.site.map(parseSiteFlag)
      : (file['sites'] ?? (await sitesFromDocument(flags.document)));
  const values = new Map(Object.entries(flags));
  const given = listOptions('serve').flatMap((option) => {
    const value = values.get(nameOption(option));
    const setting = option.setting?.replace('serve.', '');
    return value === undefined || setting === undefined ? [] : [{ ...option, setting, value }];
  });
  if (!Array.isArray(sites) || sites.length !== 1) refuseForSeveralSites(given);
  const gateway = ['admin.token', 'cache.store'].reduce(
    (section, setting) => withDefault(section, setting, env[findSetting(`serve.${setting}`).env ?? '']),
    { ...file, admin: file['admin'] ?? {}, cache: file['cache'] ?? {} } as unknown,
  );
  const mergedSites = Array.isArray(sites) ? sites.map((site) => addCredentials(site, env)) : sites;
  const merged = given.reduce(
    (config, { setting, value }) => withSetting(config, setting.split('.'), () => value),
    withSetting(gateway, ['sites'], () => mergedSites),
  );
  const { readConfig } = await import('../../config/config.ts');
  const result = readConfig(merged);
  if (!result.ok) {
    const errors = result.errors.map((error) => `  ${error}`).join('\n');
    throw new ConfigurationError(`the configuration is invalid\n${errors}`);
  }
  for (const warning of result.warnings) writeErr(`Warning: ${warning}\n`);
  return result.config;
}

/** Reads a configuration file. Its paths are relative to its folder, so that it means the same wherever the gateway is started. */
async function readConfigFile(path: string): Promise<unknown> {
  const content = await readStructuredFile(path, '--config');
  return resolvePaths(content, findSetting('serve'), dirname(resolve(path)));
}

function refuseForSeveralSites(given: readonly CommandOption[]): void {
  const option = given.find(({ single }) => single === true);
  if (option === undefined) return;
  const [flag = ''] = option.flag.split(' ');
  const setting = option.setting?.replace('sites.', '');
  throw new ConfigurationError(
    `${flag} applies to a single site. With several sites, give each its \`${setting}\` in the configuration file.`,
  );
}

/**
 * Changes a setting of a configuration, in each member of a list. Returns a section that is not an object unchanged: the schema
 * rejects it.
 */
function withSetting(
  section: unknown,
  [name, ...path]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(section);
  if (Array.isArray(section)) return section.map((member) => withSetting(member, [name, ...path], change));
  if (section !== undefined && !isJsonObject(section)) return section;
  return { ...section, [name]: withSetting(section?.[name], path, change) };
}

/** Gives a setting the value of an environment variable, unless the configuration has one. */
function withDefault(section: unknown, setting: string, variable: string | undefined): unknown {
  if (variable === undefined || variable === '') return section;
  return withSetting(section, setting.split('.'), (value) => (value === undefined ? variable : value));
}

/**
 * `WAYGATE_AUTH_BLOG` holds the credentials of the site `blog`, and `WAYGATE_AUTH_BLOG_EXAMPLE_COM` those of a site without name
 * whose first host is `blog.example.com`. `WAYGATE_AUTH` applies to all other sites.
 * `WAYGATE_UPSTREAM_AUTH` likewise holds those of a web server in front of a site.
 */
function addCredentials(site: Json, env: CommandIo['env']): unknown {
  if (!isJsonObject(site)) return site;
  const [host] = Array.isArray(site['hosts']) ? site['hosts'] : [];
  const suffix = String(site['name'] ?? host ?? '')
    .replace(/^\*\.|:\d+$/g, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_');
  const read = (variable: string): string | undefined => env[`${variable}_${suffix}`] || env[variable];
  const withUpstream = withSetting(site, ['upstream'], (upstream) => upstream ?? {});
  return ['auth', 'upstream.auth'].reduce(
    (section, setting) =>
      withDefault(section, setting, read(findSetting(`serve.sites.${setting}`).env ?? '')),
    withUpstream,
  );
}

/** Creates the list of sites from a stored document, which contains the URL of its site. */
async function sitesFromDocument(document: string | undefined): Promise<Json> {
  if (document === undefined) return [];
  const { readServedApi } = await import('../../openapi/index.ts');
  const { address } = runSteps(readServedApi(await readStructuredFile(document, '--document')));
  return [{ url: address.base }];
}

/** Parses `<name>=<url>` or `<url>`. */
function parseSiteFlag(text: string): JsonObject {
  const named = /^([A-Za-z0-9][A-Za-z0-9._~-]*)=(.*)$/.exec(text);
  return named?.[1] === undefined ? { url: text } : { name: named[1], url: named[2] ?? '' };
}
