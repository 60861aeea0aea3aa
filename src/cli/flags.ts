import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { parseDuration, parseSize } from '../config/units.ts';
import type { DiscoverOptions, ReadIndexOptions } from '../discovery/index.ts';
import { ConfigurationError, messageOf } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { VALIDATION_MODES } from '../validation/evidence/enforcement.ts';
import type { CommandIo } from './io.ts';

/** The option `--mode`, which `serve`, `example` and `mock` share. */
export const MODE_FLAG: {
  readonly flag: string;
  readonly help: string;
  readonly choices: readonly string[];
} = {
  flag: '--mode <mode>',
  help: 'requests that violate the document: forward unvalidated, observe, refuse by known rules, or by all',
  choices: VALIDATION_MODES,
};

/** Creates the option `--mode` of commands without a configuration file. */
export function createModeOption(): Option {
  return new Option(MODE_FLAG.flag, MODE_FLAG.help).choices(MODE_FLAG.choices).default('strict');
}

/** The options of connections to a site, each with the member of `upstream` in the configuration of `serve` that it means. */
export const CONNECTION_FLAGS = [
  {
    flag: '--upstream-host <name>',
    help: 'host that the site sees, such as its public name, while connections are made to its URL',
    member: 'host',
  },
  {
    flag: '--upstream-ca <file>',
    help: 'certificates in PEM that are trusted for the site',
    member: 'ca',
  },
  { flag: '--upstream-insecure', help: 'accept any certificate of the site', member: 'insecure' },
] as const;

/** The parsed {@link CONNECTION_FLAGS}. */
interface ConnectionFlags {
  readonly upstreamHost?: string;
  /** Path of a file. */
  readonly upstreamCa?: string;
  readonly upstreamInsecure?: boolean;
}

/** The parsed command line options of discovery, which `generate`, `reconcile` and `calibrate` share. */
export interface DiscoveryFlags extends ConnectionFlags {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly header: readonly string[];
  readonly schemas?: 'help' | 'options' | 'off';
  readonly auth?: string;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly maxBytes?: number;
  readonly maxDocumentBytes?: number;
  readonly maxRedirects?: number;
  readonly maxRoutes?: number;
}

/** Creates the command line options of discovery, which `generate`, `reconcile` and `calibrate` share. */
export function createDiscoveryCliOptions(): Option[] {
  return [
    new Option(
      '--include <namespace>',
      'keep only this namespace or routes that match this glob (repeatable)',
    )
      .argParser(appendValue)
      .default([], 'all'),
    new Option(
      '--exclude <namespace>',
      'leave out this namespace or routes that match this glob (repeatable)',
    )
      .argParser(appendValue)
      .default([], 'none'),
    new Option('--auth <user:app-password>', 'application password for reading the index; or WAYGATE_AUTH'),
    new Option("--header <'Name: value'>", 'header field for reading the index (repeatable)')
      .argParser(appendValue)
      .default([], 'none'),
    new Option(
      '--schemas <source>',
      'source of response schemas: the index, also OPTIONS on each route, or none (help)',
    ).choices(['help', 'options', 'off']),
    new Option('--concurrency <n>', 'OPTIONS requests in parallel (4)').argParser(parseWholeNumber),
    new Option('--timeout <duration>', 'for the whole discovery, such as 90s (5m)').argParser(
      parseDurationOption,
    ),
    new Option('--max-bytes <size>', 'largest response to read, such as 10MiB (64MiB)').argParser(
      parseSizeOption,
    ),
    new Option('--max-document-bytes <size>', 'largest document to create, such as 64MiB (32MiB)').argParser(
      parseSizeOption,
    ),
    new Option('--max-redirects <n>', 'per request (10)').argParser(parseWholeNumber),
    new Option('--max-routes <n>', 'largest number of routes to read (20000)').argParser(parseWholeNumber),
    ...CONNECTION_FLAGS.map(({ flag, help }) => new Option(flag, help)),
  ];
}

/**
 * Converts the flags and `WAYGATE_AUTH` to the URL and the options of a discovery.
 *
 * @throws {ConfigurationError} when an argument is invalid, or a file cannot be read
 */
export async function resolveDiscovery(
  url: string,
  flags: DiscoveryFlags,
  { env }: Pick<CommandIo, 'env'>,
): Promise<{ readonly url: string; readonly options: DiscoverOptions }> {
  const credentials = flags.auth ?? env['WAYGATE_AUTH'];
  const connection = await connectToSite(requireHttpUrl(url), flags);
  return {
    url: connection.url,
    options: {
      ...selectRoutes(flags),
      schemas: flags.schemas,
      headers: Object.fromEntries(flags.header.map(parseHeaderOption)),
      auth: credentials === undefined || credentials === '' ? undefined : parseCredentials(credentials),
      concurrency: flags.concurrency,
      timeout: flags.timeout,
      maxBytes: flags.maxBytes,
      maxDocumentBytes: flags.maxDocumentBytes,
      maxRedirects: flags.maxRedirects,
      fetch: connection.fetch,
    },
  };
}

/** The options that also apply to a recorded index. */
export function selectRoutes({ exclude, include, maxRoutes }: DiscoveryFlags): ReadIndexOptions {
  return { include, exclude, maxRoutes };
}

/**
 * Prepares the connections of a discovery.
 *
 * @param url the URL that connections are made to
 * @returns the URL as the site knows it, and the `fetch` that connects; `undefined` for the platform's
 * @throws {ConfigurationError} when the host is invalid, or the file contains no certificate
 */
async function connectToSite(
  url: string,
  { upstreamCa, upstreamHost, upstreamInsecure }: ConnectionFlags,
): Promise<{ readonly url: string; readonly fetch: typeof globalThis.fetch | undefined }> {
  if (upstreamCa === undefined && upstreamHost === undefined && upstreamInsecure !== true) {
    return { url, fetch: undefined };
  }
  const { createSiteUpstream } = await import('../gateway/snapshot/site-upstream.ts');
  const { nodeTransport } = await import('../node/platform.ts');
  const ca = upstreamCa === undefined ? undefined : await readCertificates(upstreamCa, '--upstream-ca');
  const upstream = omitUndefined({ host: upstreamHost, ca, insecure: upstreamInsecure });
  const connection = createSiteUpstream({ url, upstream }, { sites: [], transport: nodeTransport });
  return { url: connection.siteUrl, fetch: connection.fetch };
}

/**
 * Reads certificates in PEM.
 *
 * @param setting the option or setting that names the file, for the message
 * @throws {ConfigurationError} when the file cannot be read, or contains no certificate
 */
export async function readCertificates(path: string, setting: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`${setting} ${path}: ${messageOf(error)}`, { cause: error });
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new ConfigurationError(`${setting} ${path}: the file contains no certificate in PEM`);
}

/**
 * Checks that an argument is an http or https URL.
 *
 * @returns the text unchanged
 * @throws {ConfigurationError} when it is not; the message leaves out credentials
 */
export function requireHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  const shown = text.replace(/\/\/[^@/]*@/, '//');
  const isHostName = !shown.includes('://') && URL.canParse(`https://${shown}`);
  const suggestion = url === null && isHostName ? ` Did you mean https://${shown}?` : '';
  throw new ConfigurationError(`"${shown}" is not an http or https URL.${suggestion}`);
}

/**
 * Parses `user:application-password`.
 *
 * @throws {ConfigurationError} when a part is missing; the message does not repeat the credentials
 */
export function parseCredentials(text: string): { user: string; password: string } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) {
    throw new ConfigurationError('--auth (or WAYGATE_AUTH) must be user:application-password');
  }
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Parses `Name: value`.
 *
 * @throws {ConfigurationError} when it is not a header field
 */
export function parseHeaderOption(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match?.[1] === undefined) {
    throw new ConfigurationError("--header must be 'Name: value', as in HTTP");
  }
  return [match[1], match[2] ?? ''];
}

/** Collects the values of a repeatable option. */
export function appendValue(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/**
 * Parses a duration.
 *
 * @returns milliseconds
 * @throws {InvalidArgumentError} when the text is not a duration
 */
export function parseDurationOption(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) {
    throw new InvalidArgumentError('It must be a duration such as 250ms, 30s, 5m or 1h.');
  }
  return milliseconds;
}

/**
 * Parses a whole number of up to nine digits.
 *
 * @throws {InvalidArgumentError} when the text is not one
 */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/**
 * Parses a number of requests per second.
 *
 * @throws {InvalidArgumentError} when the text is not a positive number, with or without `/s`
 */
export function parseRate(text: string): number {
  const rate = /^\d{1,6}(?:\.\d{1,3})?(?:\/s)?$/.test(text) ? Number.parseFloat(text) : 0;
  if (rate <= 0) throw new InvalidArgumentError('It must be a rate such as 10/s or 0.5/s.');
  return rate;
}

/**
 * Parses a port number.
 *
 * @throws {InvalidArgumentError} when the text is not a whole number up to 65535
 */
export function parsePort(text: string): number {
  const port = parseWholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('A port is at most 65535; 0 picks a free one.');
  return port;
}

/**
 * Parses a size.
 *
 * @returns bytes
 * @throws {InvalidArgumentError} when the text is not a size
 */
export function parseSizeOption(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined) throw new InvalidArgumentError('It must be a size such as 500KiB, 64MiB or 1GiB.');
  return bytes;
}
