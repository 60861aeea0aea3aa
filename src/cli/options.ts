import { InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../config/duration.ts';
import { parseSize } from '../config/size.ts';
import type { DiscoverOptions } from '../discovery/index.ts';
import { ConfigurationError } from '../errors.ts';
import type { Io } from './io.ts';

/** The options that every command takes which reads a site. */
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

export function discoveryOptions(): Option[] {
  return [
    new Option('--include <namespace>', 'keep only this namespace, or routes of this glob (repeatable)')
      .argParser(collect)
      .default([], 'all'),
    new Option('--exclude <namespace>', 'leave out this namespace, or routes of this glob (repeatable)')
      .argParser(collect)
      .default([], 'none'),
    new Option('--auth <user:app-password>', 'application password for reading the index; or WAYGATE_AUTH'),
    new Option("--header <'Name: value'>", 'header for reading the index (repeatable)')
      .argParser(collect)
      .default([], 'none'),
    new Option(
      '--schemas <source>',
      'where response schemas come from: the index, OPTIONS on each route too, or nowhere',
    )
      .choices(['help', 'options', 'off'])
      .default('help'),
    new Option('--concurrency <n>', 'OPTIONS requests at a time (4)').argParser(wholeNumber),
    new Option('--timeout <time>', 'for the whole reading, such as 90s (5m)').argParser(duration),
    new Option('--max-bytes <size>', 'of one answer, such as 10MiB (64MiB)').argParser(size),
    new Option('--max-redirects <n>', 'of one request (10)').argParser(wholeNumber),
    new Option('--max-routes <n>', 'of the site (20000)').argParser(wholeNumber),
  ];
}

/** What `discover` takes, from the command line and the environment. */
export function toDiscoverOptions(flags: DiscoveryFlags, { env }: Pick<Io, 'env'>): DiscoverOptions {
  const auth = flags.auth ?? env['WAYGATE_AUTH'];
  return {
    include: flags.include,
    exclude: flags.exclude,
    schemas: flags.schemas,
    headers: Object.fromEntries(flags.header.map(readHeader)),
    auth: auth === undefined || auth === '' ? undefined : readAuth(auth),
    concurrency: flags.concurrency,
    timeout: flags.timeout,
    maxBytes: flags.maxBytes,
    maxRedirects: flags.maxRedirects,
    maxRoutes: flags.maxRoutes,
  };
}

/** @throws ConfigurationError where an address is not one of http or https */
export function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  const shown = text.replace(/\/\/[^@/]*@/, '//');
  const isName = !shown.includes('://') && URL.canParse(`https://${shown}`);
  const whole = isName ? ` Did you mean https://${shown}?` : '';
  throw new ConfigurationError(`"${shown}" is not an http or https address.${url === null ? whole : ''}`);
}

/** @throws ConfigurationError without repeating the credentials */
export function readAuth(text: string): { user: string; password: string } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) {
    throw new ConfigurationError('--auth (or WAYGATE_AUTH) must be user:application-password');
  }
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function readHeader(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match?.[1] === undefined) throw new ConfigurationError("--header must be 'Name: value', as in HTTP");
  return [match[1], match[2] ?? ''];
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError('It must be a time such as 250ms, 30s, 5m or 1h.');
  return milliseconds;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function port(text: string): number {
  const number = wholeNumber(text);
  if (number > 65_535) throw new InvalidArgumentError('A port is at most 65535; 0 picks a free one.');
  return number;
}

function size(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined) throw new InvalidArgumentError('It must be a size such as 500KiB, 64MiB or 1GiB.');
  return bytes;
}
