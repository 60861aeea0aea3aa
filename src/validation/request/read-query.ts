import type { Json } from '../../json.ts';
import { decodeBytes, decodeVariables } from '../../php/decode.ts';
import { MAX_INPUT_VARS } from '../../php/query.ts';
import { parseQuery } from '../../php/variables.ts';
import { NO_SOURCE, type Source } from './values.ts';

/**
 * The variables of a query or of an urlencoded body, as the site has them.
 *
 * @param bytes a byte string, without question mark
 * @returns null where it holds more than PHP reads by default: sites raise that (`max_input_vars`), so nobody can tell
 * what they read
 */
export function readQuery(bytes: string): Source | null {
  if (bytes === '') return NO_SOURCE;
  // One less than PHP reads, because `rest_route` may be put in front.
  return holdsMore(bytes, MAX_INPUT_VARS - 1) ? null : decodeVariables(parseQuery(bytes));
}

/** The groups of the route, by name: byte strings. */
export function pathValues(groups: Readonly<Record<string, string>>): Source {
  const names = Object.keys(groups);
  if (names.length === 0) return NO_SOURCE;
  return new Map<string, Json>(names.map((name) => [decodeBytes(name), decodeBytes(groups[name] ?? '')]));
}

function holdsMore(bytes: string, count: number): boolean {
  let found = 1;
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    found += 1;
    if (found > count) return true;
  }
  return false;
}
