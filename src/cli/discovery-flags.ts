import { Option } from 'commander';
import type { DiscoverOptions, ReadIndexOptions } from '../discovery/index.ts';
import { type ConnectionFlags, connectToSite, createConnectionCliOptions } from './connection-flags.ts';
import type { CommandIo } from './io.ts';
import {
  appendValue,
  parseCredentials,
  parseDurationOption,
  parseHeaderOption,
  parseSizeOption,
  parseWholeNumber,
  requireHttpUrl,
} from './option-parsers.ts';

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
    new Option('--max-redirects <n>', 'per request (10)').argParser(parseWholeNumber),
    new Option('--max-routes <n>', 'largest number of routes to read (20000)').argParser(parseWholeNumber),
    ...createConnectionCliOptions(),
  ];
}

/** What a discovery needs: the URL that it begins with, and its options. */
export interface ResolvedDiscovery {
  readonly url: string;
  readonly options: DiscoverOptions;
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
): Promise<ResolvedDiscovery> {
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
      maxRedirects: flags.maxRedirects,
      fetch: connection.fetch,
    },
  };
}

/** The options that also apply to a recorded index. */
export function selectRoutes({ exclude, include, maxRoutes }: DiscoveryFlags): ReadIndexOptions {
  return { include, exclude, maxRoutes };
}
