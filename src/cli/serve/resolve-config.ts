import { dirname, resolve } from 'node:path';
import { ConfigurationError, createProblemsError, messageOf } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Config, ServeFlags } from '../../base/option-types.ts';
import { readUserFile } from '../../base/read-file.ts';
import { runSteps } from '../../base/steps.ts';
import type { ConfigurationSource, FoundSetting } from '../config/configuration-file.ts';
import { requireConfig } from '../config/gateway-settings.ts';
import { type ResolvedReferences, resolveReferences, SETTINGS, trimLineBreak } from '../config/settings.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import type { CommandIo } from '../io.ts';
import { listServeOptions } from '../options.ts';

export interface MergedConfig {
  /** Unchecked. Flags win over the file, and the file over the environment. */
  readonly input: unknown;
  readonly missing: ResolvedReferences['errors'];
  readonly locator: SettingLocator;
  readonly file: ConfigurationSource | undefined;
}

export async function resolveConfig(flags: ServeFlags, env: CommandIo['env']): Promise<Config> {
  return requireValid(await readMergedConfig(flags, env));
}

export function requireValid(merged: MergedConfig): Promise<Config> {
  return withPlaces(merged, () => requireConfig(merged.input, merged.missing));
}

/** @throws {ConfigurationError} that of the task, with the places of settings */
export async function withPlaces<T>({ locator }: MergedConfig, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    const place = (text: string, problem: string) => text.replace(problem, () => locator.describe(problem));
    const problems = cause.problems.map((problem) => locator.describe(problem));
    throw new ConfigurationError(cause.problems.reduce(place, cause.message), { cause, problems });
  }
}

export async function readMergedConfig(flags: ServeFlags, env: CommandIo['env']): Promise<MergedConfig> {
  const configuration = flags.config === undefined ? undefined : await readConfigurationFile(flags.config);
  // Paths are relative to the file's folder, wherever the gateway is started.
  const folder = dirname(resolve(configuration?.path ?? ''));
  const source = { folder, env };
  const content = configuration === undefined ? {} : configuration.content;
  const { errors, value: file } = resolveReferences(content, SETTINGS.serve, source);
  if (!isJsonObject(file)) {
    throw new ConfigurationError(`--config ${flags.config}: the file must hold an object`);
  }
  const sites =
    flags.site.length > 0
      ? flags.site.map(parseSiteFlag)
      : (file['sites'] ?? (await sitesFromDocument(flags.document)));
  const values = new Map(Object.entries(flags));
  const given = listServeOptions().flatMap((option) => {
    const value = values.get(option.attributeName());
    const { setting } = option;
    return value === undefined || setting === undefined ? [] : [{ option, setting, value }];
  });
  if (flags.document !== undefined && !(Array.isArray(sites) && sites.length === 1)) {
    throw new ConfigurationError(
      '--document applies to a single site. With several sites, give each its `document` in the configuration file.',
    );
  }
  const variables = new Variables(env, errors);
  const gateway = [
    ['admin.token', 'WAYGATE_ADMIN_TOKEN'],
    ['cache.store', 'WAYGATE_CACHE'],
  ].reduce((section, [setting = '', variable = '']) => variables.addTo(section, setting, '', [variable]), {
    ...file,
    admin: file['admin'] ?? {},
    cache: file['cache'] ?? {},
  } as unknown);
  const mergedSites = Array.isArray(sites)
    ? sites.map((site, at) => addCredentials(site, `sites[${at}].`, variables))
    : sites;
  const input = given.reduce(
    (config, { setting, value }) => withSetting(config, setting.split('.'), () => value),
    withSetting(gateway, ['sites'], () => mergedSites),
  );
  const flagOfSites =
    flags.site.length > 0 ? '--site' : file['sites'] === undefined ? '--document' : undefined;
  const sources = new Map([
    ...variables.used,
    ...(flagOfSites === undefined
      ? []
      : [['sites.name', flagOfSites] as const, ['sites.url', flagOfSites] as const]),
    ...given.map(({ option, setting }) => [setting, option.long ?? ''] as const),
  ]);
  const locator = new SettingLocator(configuration, sources);
  return { input, missing: variables.errors, locator, file: configuration };
}

async function readConfigurationFile(path: string): Promise<ConfigurationSource> {
  if (/\.m?[jt]s$/.test(path)) {
    const { GatewayModule } = await import('../config/gateway-module.ts');
    return GatewayModule.load(path);
  }
  const { ConfigurationFile } = await import('../config/configuration-file.ts');
  const file = new ConfigurationFile(path);
  const { syntaxError } = file;
  if (syntaxError === undefined) return file;
  throw createProblemsError([file.describe(syntaxError.message, syntaxError)]);
}

class Variables {
  readonly used: Map<string, string> = new Map();
  readonly errors: Map<string, string>;
  readonly #env: CommandIo['env'];

  constructor(env: CommandIo['env'], errors: ResolvedReferences['errors']) {
    this.#env = env;
    this.errors = new Map(errors);
  }

  /** Takes the first variable that is set, or the file of `<name>_FILE`, unless the setting is stated. */
  addTo(section: unknown, setting: string, place: string, names: readonly string[]): unknown {
    const path = `${place}${setting}`;
    return withSetting(section, setting.split('.'), (given) => {
      if (given !== undefined || this.errors.has(path)) return given;
      for (const name of names) {
        for (const [variable, isPath] of [
          [name, false],
          [`${name}_FILE`, true],
        ] as const) {
          const value = this.#read(variable, isPath, path);
          if (value !== '') return value;
        }
      }
      return undefined;
    });
  }

  /** @returns an empty text if the variable isn't set; `undefined` if the file isn't readable */
  #read(variable: string, isPath: boolean, path: string): string | undefined {
    const value = this.#env[variable] ?? '';
    if (value === '') return '';
    this.used.set(path, variable);
    try {
      const text = trimLineBreak(isPath ? readUserFile(value) : value);
      if (isPath && text === '') throw new Error(`${value} is empty`);
      return text;
    } catch (error) {
      this.errors.set(path, messageOf(error));
      return undefined;
    }
  }
}

/** Changes a setting of a section, or of each in a list. The schema rejects other values later. */
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

/** `WAYGATE_AUTH_BLOG` is for the site `blog`, `WAYGATE_AUTH_BLOG_EXAMPLE_COM` for one at `blog.example.com`. */
function addCredentials(site: Json, place: string, variables: Variables): unknown {
  if (!isJsonObject(site)) return site;
  const [host] = Array.isArray(site['hosts']) ? site['hosts'] : [];
  const suffix = String(site['name'] ?? host ?? '')
    .replace(/^\*\.|:\d+$/g, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_');
  const withUpstream = withSetting(site, ['upstream'], (upstream) => upstream ?? {});
  const withAuth = variables.addTo(withUpstream, 'auth', place, [`WAYGATE_AUTH_${suffix}`, 'WAYGATE_AUTH']);
  const names = [`WAYGATE_UPSTREAM_AUTH_${suffix}`, 'WAYGATE_UPSTREAM_AUTH'];
  return variables.addTo(withAuth, 'upstream.auth', place, names);
}

async function sitesFromDocument(document: string | undefined): Promise<Json> {
  if (document === undefined) return [];
  const { readServedApi } = await import('../../generator/openapi/index.ts');
  const { address } = runSteps(readServedApi(await readStructuredFile(document, '--document')));
  return [{ url: address.base }];
}

function parseSiteFlag(text: string): JsonObject {
  const named = /^([A-Za-z0-9][A-Za-z0-9._~-]*)=(.*)$/.exec(text);
  return named?.[1] === undefined ? { url: text } : { name: named[1], url: named[2] ?? '' };
}

/** Without a position if a flag or an environment variable states the setting. */
interface SettingPlace extends FoundSetting {
  readonly source?: string;
}

class SettingLocator {
  /** Flag or environment variable by setting. A flag's setting has no positions in lists: `sites.url`. */
  readonly sources: ReadonlyMap<string, string>;
  readonly #file: ConfigurationSource | undefined;

  constructor(file: ConfigurationSource | undefined, sources: ReadonlyMap<string, string>) {
    this.#file = file;
    this.sources = sources;
  }

  /** Finds the setting at the start of a message, or the nearest setting that contains it. */
  find(message: string): SettingPlace | undefined {
    const [setting = ''] = message.split(/[:\s]/, 1);
    const source = this.sources.get(setting) ?? this.sources.get(setting.replace(/\[\d+\]/g, ''));
    if (source !== undefined) return { source, isDeclared: true, references: [] };
    return this.#file?.find(message);
  }

  /** `waygate.yaml:3:5: port: …`, `--port: port: …` */
  describe(message: string): string {
    const source = this.find(message)?.source;
    return source === undefined ? (this.#file?.describe(message) ?? message) : `${source}: ${message}`;
  }
}
