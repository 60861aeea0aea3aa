import type { Json } from '../../json.ts';
import type { RequestValues } from './result.ts';

/** Parameters of one place, by name. */
export type Source = ReadonlyMap<string, Json>;

export const NO_SOURCE: Source = new Map();

/** Methods whose form counts (`WP_REST_Request::get_parameter_order()`). A JSON body counts for any. */
const WITH_FORM: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function takesForm(method: string): boolean {
  return WITH_FORM.has(method);
}

/**
 * The places in which the site looks for a parameter, first to last; those that hold nothing are left out.
 *
 * @param method as the site runs it
 */
export function sourcesOf({ json, form, query, path }: RequestValues, method: string): readonly Source[] {
  const sources: Source[] = [];
  if (json.size > 0) sources.push(json);
  if (form.size > 0 && takesForm(method)) sources.push(form);
  if (query.size > 0) sources.push(query);
  if (path.size > 0) sources.push(path);
  return sources;
}

/** `get_param()`, before defaults: a null does not hide what comes after it (`isset`). */
export function lookUp(name: string, sources: readonly Source[]): Json | undefined {
  for (const source of sources) {
    const value = source.get(name) ?? null;
    if (value !== null) return value;
  }
  return undefined;
}

/** `get_params()`, before defaults: every name that was given. */
export function mergeValues(sources: readonly Source[]): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const source of sources) {
    for (const [name, value] of source) if ((values.get(name) ?? null) === null) values.set(name, value);
  }
  return values;
}
