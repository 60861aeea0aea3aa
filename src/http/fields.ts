import { memoizeByString } from '../memoize.ts';

/**
 * All values of a field, joined as RFC 9110 §5.3 allows; undefined where there is none.
 *
 * @param headers flat list name, value, name, value
 * @param name in lower case
 */
export function fieldValue(headers: readonly string[], name: string): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const found = headers[at] ?? '';
    // Lengths first: most fields are another.
    if (found.length !== name.length || found.toLowerCase() !== name) continue;
    joined = joined === undefined ? (headers[at + 1] ?? '') : `${joined}, ${headers[at + 1] ?? ''}`;
  }
  return joined;
}

/** Whether a field is there at all. `name` in lower case. */
export function hasField(headers: readonly string[], name: string): boolean {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const found = headers[at] ?? '';
    if (found.length === name.length && found.toLowerCase() === name) return true;
  }
  return false;
}

/** The value of a field's first line: of one that must not be repeated, or whose later ones do not count. */
export function firstFieldValue(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const found = headers[at] ?? '';
    if (found.length === name.length && found.toLowerCase() === name) return headers[at + 1];
  }
  return undefined;
}

/** A name in lower case. */
const lowerName = memoizeByString((name) => name.toLowerCase());

/** A new list without some fields. `names` in lower case. */
export function withoutFields(headers: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!names.has(lowerName(name))) kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}

/**
 * The field names in a `Connection` header, lower case (RFC 9110 §7.6.1).
 *
 * @returns undefined where there are none but the usual words
 */
export function connectionOptions(connection: string): ReadonlySet<string> | undefined {
  if (connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  const fields = names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
  return fields.length === 0 ? undefined : new Set(fields);
}

/** Removes fields from a flat list, in place. */
export function dropFields(headers: string[], names: ReadonlySet<string>): void {
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
