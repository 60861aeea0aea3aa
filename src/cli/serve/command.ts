import { Command, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import { readStructuredFile } from '../../config/structured-file.ts';
import { ConfigurationError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { appendValue, CONNECTION_FLAGS, MODE_FLAG, parsePort, parseWholeNumber } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';

/** An option that overrides a setting of the configuration. */
interface Override {
  readonly flag: string;
  readonly help: string;
  /** Path of the setting; below `sites` it is a setting of each site. Its schema has the default and the accepted values. */
  readonly setting: string;
  readonly parse?: (text: string) => number;
  readonly choices?: readonly string[];
  /** Whether the option makes sense for one site only. */
  readonly isForOneSite?: boolean;
}

/** In the order of the help. */
const OVERRIDES: readonly Override[] = [
  {
    flag: '--port <port>',
    help: 'port to listen on (8080); 0 picks a free one',
    setting: 'port',
    parse: parsePort,
  },
  { flag: '--host <host>', help: 'address to listen on (127.0.0.1)', setting: 'host' },
  {
    flag: '--public-url <url>',
    help: 'URL under which clients reach the gateway (taken from each request)',
    setting: 'publicUrl',
  },
  ...CONNECTION_FLAGS.map(({ flag, help, member }) => ({
    flag,
    help,
    setting: `sites.upstream.${member}`,
    isForOneSite: true,
  })),
  {
    flag: '--document <file>',
    help: 'stored document of the site, served until discovery succeeds',
    setting: 'sites.document',
    isForOneSite: true,
  },
  {
    flag: '--rediscover <interval>',
    help: 'repeat discovery at this interval, such as 5m; SIGHUP does it at once',
    setting: 'sites.rediscover',
  },
  {
    flag: '--discovery <mode>',
    help: 'read the root index of the site, or not (auto)',
    setting: 'sites.discovery',
    choices: ['auto', 'off'],
  },
  {
    flag: '--passthrough',
    help: 'forward everything else to the site too: a whole-site reverse proxy',
    setting: 'sites.passthrough',
  },
  { ...MODE_FLAG, help: `${MODE_FLAG.help} (observe)`, setting: 'sites.validation.mode' },
  {
    flag: '--after-agreement <n>',
    help: 'with --mode enforce or strict: observe an operation until the site agreed this often in a row, such as 100',
    setting: 'sites.validation.afterAgreement',
    parse: parseWholeNumber,
  },
  {
    flag: '--state <folder>',
    help: 'folder for state that outlives a restart, such as validation evidence',
    setting: 'state',
  },
  {
    flag: '--admin-port <port>',
    help: 'separate port for the operations below /-/ (the same port); WAYGATE_ADMIN_TOKEN enables them',
    setting: 'admin.port',
    parse: parsePort,
  },
  {
    flag: '--cache <store>',
    help: 'store of the response cache: off, memory, or a Redis URL such as redis://host:6379 (off); or WAYGATE_CACHE',
    setting: 'cache.store',
  },
];

/** The parsed options: those of {@link OVERRIDES} by their name in camel case, and the others. */
interface ServeFlags extends Readonly<Record<string, unknown>> {
  /** Path of the configuration file. */
  readonly config?: string;
  /** Sites as `<name>=<url>` or `<url>`. */
  readonly site: readonly string[];
  readonly document?: string;
  readonly helpConfig?: boolean;
}

export function createServeCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  const command = new Command('serve')
    .option('--config <file>', 'configuration file, JSON or YAML; flags override it')
    .addOption(
      new Option('--site <[name=]url>', 'a site, mounted at /<name>, or at / without a name (repeatable)')
        .argParser(appendValue)
        .default([], 'those of the configuration'),
    );
  for (const { choices, flag, help, parse } of OVERRIDES) {
    const option = new Option(flag, help);
    if (parse !== undefined) option.argParser(parse);
    if (choices !== undefined) option.choices(choices);
    command.addOption(option);
  }
  return command
    .option('--help-config', 'print the JSON Schema of the configuration file')
    .action(async (flags: ServeFlags) => {
      if (flags.helpConfig === true) {
        const { createConfigJsonSchema } = await import('../../config/config.ts');
        return io.writeOut(`${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`);
      }
      const config = await resolveConfig(flags, io.env);
      // The gateway is loaded only when it runs, so that --help is fast.
      const { createServeLogs } = await import('./log.ts');
      const { runGatewayUntilSignal } = await import('./run-gateway.ts');
      done(await runGatewayUntilSignal(config, createServeLogs(config.logLevel, io)));
    });
}

/**
 * Merges the configuration file, the environment and the flags, and checks the result. Flags win over the file, and the
 * file wins over the environment.
 *
 * @throws {ConfigurationError} when a file is not readable or the configuration is invalid
 */
export async function resolveConfig(flags: ServeFlags, env: CommandIo['env']): Promise<Config> {
  const file = flags.config === undefined ? {} : await readStructuredFile(flags.config, '--config');
  if (!isJsonObject(file)) {
    throw new ConfigurationError(`--config ${flags.config}: the file must hold an object`);
  }
  const sites =
    flags.site.length > 0
      ? flags.site.map(parseSiteFlag)
      : (file['sites'] ?? (await sitesFromDocument(flags.document)));
  const given = OVERRIDES.flatMap((override) => {
    const value = flags[new Option(override.flag).attributeName()];
    return value === undefined ? [] : [{ ...override, value }];
  });
  if (!Array.isArray(sites) || sites.length !== 1) refuseForSeveralSites(given);
  let gateway: unknown = { ...file, admin: file['admin'] ?? {}, cache: file['cache'] ?? {} };
  gateway = withDefault(gateway, 'admin.token', env['WAYGATE_ADMIN_TOKEN']);
  gateway = withDefault(gateway, 'cache.store', env['WAYGATE_CACHE']);
  const mergedSites = Array.isArray(sites) ? sites.map((site) => addCredentials(site, env)) : sites;
  const merged = given.reduce(
    (config, { setting, value }) => withSetting(config, setting.split('.'), () => value),
    withSetting(gateway, ['sites'], () => mergedSites),
  );
  const { readConfig } = await import('../../config/config.ts');
  const result = readConfig(merged);
  if (result.ok) return result.config;
  throw new ConfigurationError(
    `the configuration is invalid\n${result.errors.map((error) => `  ${error}`).join('\n')}`,
  );
}

function refuseForSeveralSites(given: readonly Override[]): void {
  const override = given.find(({ isForOneSite }) => isForOneSite === true);
  if (override === undefined) return;
  const [flag = ''] = override.flag.split(' ');
  const setting = override.setting.replace('sites.', '');
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
 * `WAYGATE_AUTH_BLOG` holds the credentials of the site `blog`. `WAYGATE_AUTH` applies to all other sites.
 * `WAYGATE_UPSTREAM_AUTH` likewise holds those of a web server in front of a site.
 */
function addCredentials(site: Json, env: CommandIo['env']): unknown {
  if (!isJsonObject(site)) return site;
  const suffix = String(site['name'] ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_');
  const read = (variable: string): string | undefined => env[`${variable}_${suffix}`] || env[variable];
  const withAuth = withDefault(site, 'auth', read('WAYGATE_AUTH'));
  const withUpstream = withSetting(withAuth, ['upstream'], (upstream) => upstream ?? {});
  return withDefault(withUpstream, 'upstream.auth', read('WAYGATE_UPSTREAM_AUTH'));
}

/** Creates the list of sites from a stored document, which contains the URL of its site. */
async function sitesFromDocument(document: string | undefined): Promise<Json> {
  if (document === undefined) return [];
  const { readServedApi } = await import('../../openapi/index.ts');
  const { address } = readServedApi(await readStructuredFile(document, '--document'));
  return [{ url: address.base }];
}

/** Parses `<name>=<url>` or `<url>`. */
function parseSiteFlag(text: string): JsonObject {
  const named = /^([A-Za-z0-9][A-Za-z0-9._~-]*)=(.*)$/.exec(text);
  return named?.[1] === undefined ? { url: text } : { name: named[1], url: named[2] ?? '' };
}
