import { type Config, readConfig } from '../../config/config.ts';
import { readStructuredFile } from '../../config/structured-file.ts';
import { ConfigurationError } from '../../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { readServedApi } from '../../openapi/index.ts';
import type { CommandIo } from '../io.ts';

/** The command line of `waygate serve`. Each flag overrides the configuration file. */
export interface ServeFlags {
  /** Path of the configuration file. */
  readonly config?: string;
  /** Sites as `<name>=<url>` or `<url>`. */
  readonly site: readonly string[];
  readonly port?: number;
  readonly host?: string;
  /** Path of a stored OpenAPI document. */
  readonly document?: string;
  /** Interval of discovery: `5m`. */
  readonly rediscover?: string;
  /** `auto` or `off`. */
  readonly discovery?: string;
  readonly passthrough?: boolean;
  /** Validation mode: `off`, `observe`, `enforce` or `strict`. */
  readonly mode?: string;
  /** Number of agreements in a row after which an operation is enforced. */
  readonly afterAgreement?: number;
  /** Path of the folder for state that outlives a restart. */
  readonly state?: string;
  /** Port of a separate listener for `/-/`. */
  readonly adminPort?: number;
  /** Host that the site sees. */
  readonly upstreamHost?: string;
  /** Path of a file with certificates that are trusted for the site. */
  readonly upstreamCa?: string;
  readonly upstreamInsecure?: boolean;
  /** URL under which clients reach the gateway. */
  readonly publicUrl?: string;
  /** `off`, `memory` or a Redis URL. */
  readonly cache?: string;
  /** Prints the JSON Schema of the configuration file instead of serving. */
  readonly helpConfig?: boolean;
}

type Environment = CommandIo['env'];

/**
 * Merges the configuration file, the environment and the flags, and checks the result. Flags win over the file, and the
 * file wins over the environment.
 *
 * @throws {ConfigurationError} when a file is not readable or the configuration is invalid
 */
export async function resolveConfig(flags: ServeFlags, env: Environment): Promise<Config> {
  const file = flags.config === undefined ? {} : await readStructuredFile(flags.config, '--config');
  if (!isJsonObject(file)) {
    throw new ConfigurationError(`--config ${flags.config}: the file must hold an object`);
  }
  const sites =
    flags.site.length > 0
      ? flags.site.map(parseSiteFlag)
      : (file['sites'] ?? (await sitesFromDocument(flags.document)));
  requireSingleSite(sites, flags);
  const result = readConfig({
    ...file,
    ...omitUndefined({ port: flags.port, host: flags.host, state: flags.state, publicUrl: flags.publicUrl }),
    admin: mergeAdmin(file['admin'], flags, env),
    cache: mergeCache(file['cache'], flags, env),
    sites: Array.isArray(sites) ? sites.map((site) => mergeSite(site, flags, env)) : sites,
  });
  if (result.ok) return result.config;
  throw new ConfigurationError(
    `the configuration is invalid\n${result.errors.map((error) => `  ${error}`).join('\n')}`,
  );
}

/** Flags that mean one site, and the setting of a site that each overrides. */
const SINGLE_SITE_FLAGS = [
  ['document', '--document', 'document'],
  ['upstreamHost', '--upstream-host', 'upstream.host'],
  ['upstreamCa', '--upstream-ca', 'upstream.ca'],
  ['upstreamInsecure', '--upstream-insecure', 'upstream.insecure'],
] as const;

function requireSingleSite(sites: unknown, flags: ServeFlags): void {
  if (Array.isArray(sites) && sites.length === 1) return;
  for (const [name, flag, setting] of SINGLE_SITE_FLAGS) {
    if (flags[name] === undefined) continue;
    throw new ConfigurationError(
      `${flag} applies to a single site. With several sites, give each its \`${setting}\` in the configuration file.`,
    );
  }
}

/** Creates the list of sites from a stored document, which contains the URL of its site. */
async function sitesFromDocument(document: string | undefined): Promise<Json> {
  if (document === undefined) return [];
  const { address } = readServedApi(await readStructuredFile(document, '--document'));
  return [{ url: address.base }];
}

/** Parses `<name>=<url>` or `<url>`. */
function parseSiteFlag(text: string): JsonObject {
  const named = /^([A-Za-z0-9][A-Za-z0-9._~-]*)=(.*)$/.exec(text);
  return named?.[1] === undefined ? { url: text } : { name: named[1], url: named[2] ?? '' };
}

/**
 * `WAYGATE_AUTH_BLOG` holds the credentials of the site `blog`. `WAYGATE_AUTH` applies to all other sites.
 * `WAYGATE_UPSTREAM_AUTH` likewise holds those of a web server in front of a site.
 */
function mergeSite(site: unknown, flags: ServeFlags, env: Environment): unknown {
  if (!isJsonObject(site)) return site;
  const suffix = String(site['name'] ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_');
  const readCredentials = (variable: string): string | undefined =>
    env[`${variable}_${suffix}`] || env[variable] || undefined;
  const upstreamFallback = omitUndefined({ auth: readCredentials('WAYGATE_UPSTREAM_AUTH') });
  return {
    ...omitUndefined({ auth: readCredentials('WAYGATE_AUTH') }),
    ...site,
    ...omitUndefined({
      document: flags.document,
      rediscover: flags.rediscover,
      discovery: flags.discovery,
      passthrough: flags.passthrough,
    }),
    upstream: mergeFlags(withFallback(site['upstream'], upstreamFallback), {
      host: flags.upstreamHost,
      ca: flags.upstreamCa,
      insecure: flags.upstreamInsecure,
    }),
    validation: mergeFlags(site['validation'], { mode: flags.mode, afterAgreement: flags.afterAgreement }),
  };
}

function mergeAdmin(admin: unknown, { adminPort }: ServeFlags, env: Environment): unknown {
  const fallback = omitUndefined({ token: env['WAYGATE_ADMIN_TOKEN'] || undefined });
  return mergeFlags(withFallback(admin, fallback), { port: adminPort });
}

function mergeCache(cache: unknown, flags: ServeFlags, env: Environment): unknown {
  const fallback = omitUndefined({ store: env['WAYGATE_CACHE'] || undefined });
  return mergeFlags(withFallback(cache, fallback), { store: flags.cache });
}

function withFallback(section: unknown, fallback: object): unknown {
  return isJsonObject(section) ? { ...fallback, ...section } : (section ?? fallback);
}

/** Overrides members of a section by flags. Returns a section that is not an object unchanged: the schema rejects it. */
function mergeFlags(section: unknown, flags: Readonly<Record<string, unknown>>): unknown {
  return section === undefined || isJsonObject(section) ? { ...section, ...omitUndefined(flags) } : section;
}
