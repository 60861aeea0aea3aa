import type { Json } from '../../json.ts';
import type { RequestParameters } from './result.ts';

/** Parameters of one place, by name. */
export type ParameterSource = ReadonlyMap<string, Json>;

export const NO_PARAMETERS: ParameterSource = new Map();

/** Methods whose form counts (`WP_REST_Request::get_parameter_order()`). A JSON body counts for any. */
const FORM_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function acceptsForm(method: string): boolean {
  return FORM_METHODS.has(method);
}

/**
 * The places in which the site looks for a parameter, first to last; those that hold nothing are left out.
 *
 * @param method as the site runs it
 */
export function orderSources(
  { json, form, query, path }: RequestParameters,
  method: string,
): readonly ParameterSource[] {
  const sources: ParameterSource[] = [];
  if (json.size > 0) sources.push(json);
  if (form.size > 0 && acceptsForm(method)) sources.push(form);
  if (query.size > 0) sources.push(query);
  if (path.size > 0) sources.push(path);
  return sources;
}

/** `get_param()`, before defaults: a null does not hide what comes after it (`isset`). */
export function findParameter(name: string, sources: readonly ParameterSource[]): Json | undefined {
  for (const source of sources) {
    const value = source.get(name) ?? null;
    if (value !== null) return value;
  }
  return undefined;
}

/** `get_params()`, before defaults: every name that was given. */
export function mergeParameters(sources: readonly ParameterSource[]): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const source of sources) {
    for (const [name, value] of source) if ((values.get(name) ?? null) === null) values.set(name, value);
  }
  return values;
}
