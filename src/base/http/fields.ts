import { memoizeByString } from '../memoize.ts';

/** Header sections as flat lists name, value: how to find and remove fields, and what the values of common ones mean. */

/** Hosts that a URL can have in every parser. */
export const READABLE_HOST: RegExp = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** All values, joined (RFC 9110 §5.3). @param name in lower case @param separator `; ` for `Cookie` */
export function fieldValue(headers: readonly string[], name: string, separator = ', '): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const fieldName = headers[at] ?? '';
    if (fieldName.length !== name.length || fieldName.toLowerCase() !== name) continue;
    joined = joined === undefined ? (headers[at + 1] ?? '') : joined + separator + (headers[at + 1] ?? '');
  }
  return joined;
}

/** Returns the first value, for fields whose repetitions are invalid or ignored. @param name in lower case */
export function firstFieldValue(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const fieldName = headers[at] ?? '';
    if (fieldName.length === name.length && fieldName.toLowerCase() === name) return headers[at + 1];
  }
  return undefined;
}

export function hasField(headers: readonly string[], name: string): boolean {
  return firstFieldValue(headers, name) !== undefined;
}

export function toFieldPairs(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return pairs;
}

export const lowerName: (name: string) => string = memoizeByString((name) => name.toLowerCase());

/** @param names in lower case */
export function withoutFields(headers: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!names.has(lowerName(name))) kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}

/** Removes fields in place. @param names in lower case */
export function removeFields(headers: string[], names: ReadonlySet<string>): void {
  let kept = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (names.has(name.toLowerCase())) continue;
    headers[kept] = name;
    headers[kept + 1] = headers[at + 1] ?? '';
    kept += 2;
  }
  headers.length = kept;
}

/** Lower-case names that `Connection` lists (RFC 9110 §7.6.1); `undefined` for `keep-alive` or `close`. */
export function parseConnectionFields(connection: string): ReadonlySet<string> | undefined {
  if (connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  const fields = names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
  return fields.length === 0 ? undefined : new Set(fields);
}

export function parseContentLength(headers: readonly string[]): number | undefined {
  const value = firstFieldValue(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

export interface MediaType {
  readonly essence: string;
  readonly charset?: string;
}

export function parseMediaType(header: string | null): MediaType {
  return parseHeader(header ?? '');
}

const parseHeader = memoizeByString((header): MediaType => {
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replace(/^"|"$/g, '')
    .trim();
  return {
    essence: /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(essence) ? essence : '',
    ...(charset === undefined || charset === '' ? {} : { charset }),
  };
});

/** Whether `Accept` prefers HTML to JSON by weight, or by order (RFC 9110 §12.5.1), as browsers do. */
export function prefersHtml(headers: readonly string[]): boolean {
  const ranges = (fieldValue(headers, 'accept') ?? '').toLowerCase().split(',').map(parseRange);
  const find = (name: RegExp) => ranges.find(({ type }) => name.test(type));
  const html = find(/^text\/html$/) ?? find(/^text\/\*$/);
  const json = find(/^application\/(?:[\w.+-]*\+)?json$/) ?? find(/^application\/\*$/);
  if (html === undefined || html.weight === 0) return false;
  if (json === undefined || html.weight !== json.weight) return html.weight > (json?.weight ?? 0);
  return ranges.indexOf(html) < ranges.indexOf(json);
}

function parseRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((part) => part.startsWith('q='))?.slice('q='.length);
  return { type, weight: /^[01](?:\.\d{0,3})?$/.test(weight ?? '') ? Number(weight) : 1 };
}
