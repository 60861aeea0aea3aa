import type { Json } from '../../json.ts';
import { decodeBytes, decodeVariables } from '../../php/byte-string.ts';
import { MAX_INPUT_VARS } from '../../php/query.ts';
import { parseQuery } from '../../php/variables.ts';
import { NO_SOURCE, type Source } from './parameters.ts';

/** Variables as PHP reads them by default. */
export interface ReadVariables {
  readonly values: Source;
  /** False where there are more: sites raise the number that is read (`max_input_vars`), so nobody can tell. */
  readonly complete: boolean;
}

/** @param bytes a query without question mark, or an urlencoded body: a byte string */
export function readVariables(bytes: string): ReadVariables {
  if (bytes === '') return NO_VARIABLES;
  // One less than PHP reads, because `rest_route` may be put in front.
  return { values: decodeVariables(parseQuery(bytes)), complete: !holdsMore(bytes, MAX_INPUT_VARS - 1) };
}

const NO_VARIABLES: ReadVariables = { values: NO_SOURCE, complete: true };

/** The variables of a query; null where nobody can tell what the site reads. */
export function readQuery(bytes: string): Source | null {
  const { values, complete } = readVariables(bytes);
  return complete ? values : null;
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
