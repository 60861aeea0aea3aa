import { Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { readStructuredFile } from '../config/file.ts';
import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { readOperations } from '../openapi/index.ts';
import type { ExitCode, Io } from './io.ts';
import { createLog } from './log.ts';
import { collect, port, wholeNumber } from './options.ts';
import { runUntilStopped } from './running.ts';

interface ServeFlags {
  readonly config?: string;
  readonly site: readonly string[];
  readonly port?: number;
  readonly host?: string;
  readonly document?: string;
  readonly rediscover?: string;
  readonly discovery?: string;
  readonly passthrough?: boolean;
  readonly mode?: string;
  readonly afterAgreement?: number;
  readonly state?: string;
  readonly adminPort?: number;
  readonly cache?: string;
  readonly helpConfig?: boolean;
}

export function serveCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command('serve')
    .description('Run the gateway in front of one or more sites.')
    .option('--config <file>', 'configuration, JSON or YAML; what the command line says wins over it')
    .addOption(
      new Option('--site <[name=]url>', 'a site, mounted at /<name>, or at / without a name (repeatable)')
        .argParser(collect)
        .default([], 'those of the configuration'),
    )
    .addOption(new Option('--port <port>', 'to listen on (8080; 0 picks a free one)').argParser(port))
    .option('--host <host>', 'to listen on (127.0.0.1)')
    .option('--document <file>', 'stored document of the site, served until it has been read')
    .option('--rediscover <interval>', 'read the sites again this often, such as 5m; SIGHUP does it at once')
    .addOption(
      new Option('--discovery <mode>', "read the root index, or don't (auto)").choices(['auto', 'off']),
    )
    .option('--passthrough', 'pass everything else on to the site too: a whole-site reverse proxy')
    .addOption(
      new Option(
        '--mode <mode>',
        'requests that the document calls wrong: not looked at, watched, or refused (observe)',
      ).choices(['off', 'observe', 'enforce']),
    )
    .addOption(
      new Option(
        '--after-agreement <n>',
        'with --mode enforce: watch an operation until the site has agreed so often in a row, such as 100',
      ).argParser(wholeNumber),
    )
    .option('--state <folder>', 'keep here what is to outlive a restart, such as what was watched')
    .addOption(
      new Option(
        '--admin-port <port>',
        'for the operations below /-/ alone (the same port); WAYGATE_ADMIN_TOKEN opens them',
      ).argParser(port),
    )
    .option(
      '--cache <store>',
      'what keeps answers: off, memory, or a Redis, redis://host:6379 (off); or WAYGATE_CACHE',
    )
    .option('--help-config', 'print the JSON Schema of the configuration file')
    .action(async (flags: ServeFlags) => {
      if (flags.helpConfig === true) {
        const { configJsonSchema } = await import('../config/config.ts');
        return io.out(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
      }
      const config = await configure(flags, io);
      done(await runUntilStopped(config, createLog(config.logLevel, io)));
    });
}

/** The configuration file with the command line laid over it, checked. */
async function configure(flags: ServeFlags, { env }: Io): Promise<Config> {
  const file = flags.config === undefined ? {} : await readStructuredFile(flags.config, '--config');
  if (!isJsonObject(file))
    throw new ConfigurationError(`--config ${flags.config}: the file must hold an object`);
  const sites =
    flags.site.length > 0 ? flags.site.map(readSite) : (file['sites'] ?? (await siteOf(flags.document)));
  if (flags.document !== undefined && (!Array.isArray(sites) || sites.length !== 1)) {
    throw new ConfigurationError(
      "--document goes with one site; of several, name each one's in the configuration",
    );
  }
  // The other commands do without its schema library.
  const { readConfig } = await import('../config/config.ts');
  const outcome = readConfig({
    ...file,
    ...defined({ port: flags.port, host: flags.host, state: flags.state }),
    admin: withAdmin(file['admin'], flags, env),
    cache: withCache(file['cache'], flags, env),
    sites: Array.isArray(sites) ? sites.map((site) => withFlags(site, flags, env)) : sites,
  });
  if (outcome.ok) return outcome.config;
  throw new ConfigurationError(
    `the configuration is wrong\n${outcome.faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

/** A document alone is enough to run a gateway: it says where its site stands. */
async function siteOf(document: string | undefined): Promise<Json> {
  if (document === undefined) return [];
  const { address } = readOperations(await readStructuredFile(document, '--document'));
  return [{ url: address.base }];
}

function readSite(text: string): JsonObject {
  const named = /^([A-Za-z0-9][A-Za-z0-9._~-]*)=(.*)$/.exec(text);
  return named?.[1] === undefined ? { url: text } : { name: named[1], url: named[2] ?? '' };
}

/** `WAYGATE_AUTH_BLOG` is the site `blog`'s; `WAYGATE_AUTH` is for all that have none of their own. */
function withFlags(site: unknown, flags: ServeFlags, env: Io['env']): unknown {
  if (!isJsonObject(site)) return site;
  const own = `WAYGATE_AUTH_${String(site['name'] ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')}`;
  return {
    ...defined({ auth: env[own] || env['WAYGATE_AUTH'] || undefined }),
    ...site,
    ...defined({
      document: flags.document,
      rediscover: flags.rediscover,
      discovery: flags.discovery,
      passthrough: flags.passthrough,
    }),
    validation: laidOver(site['validation'], { mode: flags.mode, afterAgreement: flags.afterAgreement }),
  };
}

function withAdmin(admin: unknown, { adminPort }: ServeFlags, env: Io['env']): unknown {
  const token = env['WAYGATE_ADMIN_TOKEN'] || undefined;
  return laidOver(isJsonObject(admin) ? { ...defined({ token }), ...admin } : (admin ?? defined({ token })), {
    port: adminPort,
  });
}

function withCache(cache: unknown, flags: ServeFlags, env: Io['env']): unknown {
  const store = env['WAYGATE_CACHE'] || undefined;
  return laidOver(isJsonObject(cache) ? { ...defined({ store }), ...cache } : (cache ?? defined({ store })), {
    store: flags.cache,
  });
}

/** What is no object is left for the schema to refuse. */
function laidOver(given: unknown, flags: Readonly<Record<string, unknown>>): unknown {
  return given === undefined || isJsonObject(given) ? { ...given, ...defined(flags) } : given;
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
