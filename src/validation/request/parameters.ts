import type { Json } from '../../json.ts';
import { decodeByteString } from '../../php/encoding.ts';
import { MAX_INPUT_VARS, parsePhpQuery, phpArrayToJsonMembers } from '../../php/query.ts';

/** The parameters of a request by source. WordPress's priority is JSON, form, query, path. */
export interface RequestParameters {
  readonly json: ParameterSource;
  readonly form: ParameterSource;
  readonly query: ParameterSource;
  readonly path: ParameterSource;
}

/** Parameters of one source, by name. */
export type ParameterSource = ReadonlyMap<string, Json>;

export const NO_PARAMETERS: ParameterSource = new Map();

/** Methods for which a form counts (`WP_REST_Request::get_parameter_order()`). A JSON body counts for all methods. */
const FORM_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function acceptsForm(method: string): boolean {
  return FORM_METHODS.has(method);
}

/**
 * `get_param()`, before defaults. A null in one source does not hide the value in a later one (`isset`).
 *
 * @param hasForm whether the method that runs accepts a form, and there is one
 */
export function findParameter(
  name: string,
  { json, form, query, path }: RequestParameters,
  hasForm: boolean,
): Json | undefined {
  return (
    json.get(name) ?? (hasForm ? form.get(name) : undefined) ?? query.get(name) ?? path.get(name) ?? undefined
  );
}

/**
 * `get_params()`, before defaults: all parameters of all sources.
 *
 * @param method the method that the site runs, after an override
 */
export function mergeParameters(
  { json, form, query, path }: RequestParameters,
  method: string,
): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const source of acceptsForm(method) ? [json, form, query, path] : [json, query, path]) {
    for (const [name, value] of source) if ((values.get(name) ?? null) === null) values.set(name, value);
  }
  return values;
}

/** The variables of a query or a form as PHP with default settings parses them. */
export interface ParsedVariables {
  readonly values: ParameterSource;
  /** False when there are more variables than PHP's default limit, which a site can raise (`max_input_vars`). */
  readonly isComplete: boolean;
}

const NO_VARIABLES: ParsedVariables = { values: NO_PARAMETERS, isComplete: true };

/** @param bytes a query without question mark, or an urlencoded body: a byte string */
export function parseVariables(bytes: string): ParsedVariables {
  if (bytes === '') return NO_VARIABLES;
  // One less than the limit, because the gateway may prepend `rest_route`.
  return {
    values: phpArrayToJsonMembers(parsePhpQuery(bytes)),
    isComplete: !hasMoreThan(bytes, MAX_INPUT_VARS - 1),
  };
}

/**
 * Parses the parameters of a query.
 *
 * @returns `null` when it is not certain how many variables the site parses
 */
export function parseQueryParameters(bytes: string): ParameterSource | null {
  const { values, isComplete } = parseVariables(bytes);
  return isComplete ? values : null;
}

/** Decodes the named groups of a route. @param groups byte strings, by name */
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
