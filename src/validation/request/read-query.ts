import type { Json } from '../../json.ts';
import { decodeByteString, phpArrayToJson } from '../../php/byte-string.ts';
import { MAX_INPUT_VARS } from '../../php/query.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import { NO_PARAMETERS, type ParameterSource } from './parameters.ts';

/** Variables as PHP reads them by default. */
export interface ParsedVariables {
  readonly values: ParameterSource;
  /** False where there are more: sites raise the number that is read (`max_input_vars`), so nobody can tell. */
  readonly complete: boolean;
}

/** @param bytes a query without question mark, or an urlencoded body: a byte string */
export function parseVariables(bytes: string): ParsedVariables {
  if (bytes === '') return NO_VARIABLES;
  // One less than PHP reads, because `rest_route` may be put in front.
  return { values: phpArrayToJson(parsePhpQuery(bytes)), complete: !hasMoreThan(bytes, MAX_INPUT_VARS - 1) };
}

const NO_VARIABLES: ParsedVariables = { values: NO_PARAMETERS, complete: true };

/** The variables of a query; null where nobody can tell what the site reads. */
export function parseQueryParameters(bytes: string): ParameterSource | null {
  const { values, complete } = parseVariables(bytes);
  return complete ? values : null;
}

/** The groups of the route, by name: byte strings. */
export function toPathParameters(groups: Readonly<Record<string, string>>): ParameterSource {
  const names = Object.keys(groups);
  if (names.length === 0) return NO_PARAMETERS;
  return new Map<string, Json>(
    names.map((name) => [decodeByteString(name), decodeByteString(groups[name] ?? '')]),
  );
}

function hasMoreThan(bytes: string, count: number): boolean {
  let found = 1;
  for (let at = bytes.indexOf('&'); at >= 0; at = bytes.indexOf('&', at + 1)) {
    found += 1;
    if (found > count) return true;
  }
  return false;
}
