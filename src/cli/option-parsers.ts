import { InvalidArgumentError } from 'commander';
import { parseDuration, parseSize } from '../config/units.ts';
import { ConfigurationError } from '../errors.ts';

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
