import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parsePhpNumber, toPhpInteger } from '../php/numeric.ts';

/**
 * The parameters of a request, merged in WordPress's order: JSON body, form, query, path, defaults. Declared parameters
 * are validated and sanitized; others are unchanged.
 *
 * The typed readers do not throw. They return `fallback` or `undefined` if a parameter is absent, `null`, or of a type
 * that cannot be converted.
 */
export interface RequestParams {
  get(name: string): Json | undefined;
  /** Whether the parameter has a value other than `null`. Defaults count. */
  has(name: string): boolean;
  names(): Iterable<string>;
  /** Numbers and booleans are converted as in PHP. */
  string(name: string): string | undefined;
  string(name: string, fallback: string): string;
  integer(name: string): number | undefined;
  integer(name: string, fallback: number): number;
  number(name: string): number | undefined;
  number(name: string, fallback: number): number;
  /** `false` by default. As in WordPress, `"false"`, `"0"` and `""` are false. */
  boolean(name: string, fallback?: boolean): boolean;
  /** The integers of a list or of comma-separated text; empty if the parameter is absent. */
  integers(name: string): readonly number[];
  strings(name: string): readonly string[];
  object(name: string): JsonObject | undefined;
  /** The objects in a list. */
  objects(name: string): readonly JsonObject[];
}

export function createRequestParams(values: ReadonlyMap<string, Json>): RequestParams {
  const get = (name: string): Json | undefined => values.get(name);

  function string(name: string): string | undefined;
  function string(name: string, fallback: string): string;
  function string(name: string, fallback?: string): string | undefined {
    return toText(get(name)) ?? fallback;
  }
  function number(name: string): number | undefined;
  function number(name: string, fallback: number): number;
  function number(name: string, fallback?: number): number | undefined {
    return toNumber(get(name)) ?? fallback;
  }
  function integer(name: string): number | undefined;
  function integer(name: string, fallback: number): number;
  function integer(name: string, fallback?: number): number | undefined {
    const parsed = toNumber(get(name));
    return parsed === undefined ? fallback : toPhpInteger(parsed);
  }

  return {
    get,
    has: (name) => (get(name) ?? null) !== null,
    names: () => values.keys(),
    string,
    number,
    integer,
    boolean: (name, fallback = false) => toBoolean(get(name)) ?? fallback,
    integers: (name) =>
      toList(get(name)).flatMap((item) => {
        const parsed = toNumber(item);
        return parsed === undefined ? [] : [toPhpInteger(parsed)];
      }),
    strings: (name) => toList(get(name)).flatMap((item) => toText(item) ?? []),
    object(name) {
      const value = get(name);
      // An empty PHP array is also an empty object.
      if (Array.isArray(value) && value.length === 0) return {};
      return isJsonObject(value) ? value : undefined;
    },
    objects: (name) => toList(get(name)).filter(isJsonObject),
  };
}

function toText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  return undefined;
}

function toNumber(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return parsePhpNumber(value) ?? undefined;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

function toBoolean(value: Json | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' ? !['', 'false', '0'].includes(value.toLowerCase()) : undefined;
}

/** The items of a list, the values of an object, or the words of a text. */
function toList(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) return Object.values(value);
  return typeof value === 'string'
    ? value.split(/[\s,]+/).filter((piece) => piece !== '')
    : value === undefined || value === null
      ? []
      : [value];
}
