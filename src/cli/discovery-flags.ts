import { Option } from 'commander';
import type { DiscoverOptions } from '../discovery/index.ts';
import type { CommandIo } from './io.ts';
import {
  appendValue,
  parseCredentials,
  parseDurationOption,
  parseHeaderOption,
  parseSizeOption,
  parseWholeNumber,
} from './option-parsers.ts';

/** The parsed command line options that `generate` and `reconcile` share. */
export interface DiscoveryFlags {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly header: readonly string[];
  readonly schemas: 'help' | 'options' | 'off';
  readonly auth?: string;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  readonly maxRoutes?: number;
}

/** Creates the command line options that `generate` and `reconcile` share. */
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
      'source of response schemas: the index (help), also OPTIONS on each route (options), or none (off)',
    )
      .choices(['help', 'options', 'off'])
      .default('help'),
    new Option('--concurrency <n>', 'OPTIONS requests in parallel (4)').argParser(parseWholeNumber),
    new Option('--timeout <duration>', 'for the whole discovery, such as 90s (5m)').argParser(
      parseDurationOption,
    ),
    new Option('--max-bytes <size>', 'largest response to read, such as 10MiB (64MiB)').argParser(
      parseSizeOption,
    ),
    new Option('--max-redirects <n>', 'per request (10)').argParser(parseWholeNumber),
    new Option('--max-routes <n>', 'largest number of routes to read (20000)').argParser(parseWholeNumber),
  ];
}

/** Converts the flags and `WAYGATE_AUTH` to options of `discover`. */
export function toDiscoverOptions(flags: DiscoveryFlags, { env }: Pick<CommandIo, 'env'>): DiscoverOptions {
  const credentials = flags.auth ?? env['WAYGATE_AUTH'];
  return {
    include: flags.include,
    exclude: flags.exclude,
    schemas: flags.schemas,
    headers: Object.fromEntries(flags.header.map(parseHeaderOption)),
    auth: credentials === undefined || credentials === '' ? undefined : parseCredentials(credentials),
    concurrency: flags.concurrency,
    timeout: flags.timeout,
    maxBytes: flags.maxBytes,
    maxRedirects: flags.maxRedirects,
    maxRoutes: flags.maxRoutes,
  };
}
