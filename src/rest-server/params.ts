import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parsePhpNumber, toPhpInteger } from '../php/numeric.ts';

/**
 * The parameters of a request, merged in WordPress's order: JSON body, form, query, path, defaults. Declared parameters
 * are validated and sanitized; others are unchanged.
 *
 * The typed readers do not throw. They return `fallback` or `undefined` if a parameter is absent, `null`, or of a type
 * that cannot be converted.
 */
export class RequestParams {
  private readonly values: ReadonlyMap<string, Json>;

  constructor(values: ReadonlyMap<string, Json>) {
    this.values = values;
  }

  get(name: string): Json | undefined {
    return this.values.get(name);
  }

  /** Whether the parameter has a value other than `null`. Defaults count. */
  has(name: string): boolean {
    return (this.get(name) ?? null) !== null;
  }

  names(): Iterable<string> {
    return this.values.keys();
  }

  /** Numbers and booleans are converted as in PHP. */
  string(name: string): string | undefined;
  string(name: string, fallback: string): string;
  string(name: string, fallback?: string): string | undefined {
    return toText(this.get(name)) ?? fallback;
  }

  integer(name: string): number | undefined;
  integer(name: string, fallback: number): number;
  integer(name: string, fallback?: number): number | undefined {
    const parsed = toNumber(this.get(name));
    return parsed === undefined ? fallback : toPhpInteger(parsed);
  }

  /** `false` by default. As in WordPress, `"false"`, `"0"` and `""` are false. */
  boolean(name: string, fallback = false): boolean {
    return toBoolean(this.get(name)) ?? fallback;
  }

  /** The integers of a list or of comma-separated text; empty if the parameter is absent. */
  integers(name: string): readonly number[] {
    return toList(this.get(name)).flatMap((item) => {
      const parsed = toNumber(item);
      return parsed === undefined ? [] : [toPhpInteger(parsed)];
    });
  }

  strings(name: string): readonly string[] {
    return toList(this.get(name)).flatMap((item) => toText(item) ?? []);
  }

  object(name: string): JsonObject | undefined {
    const value = this.get(name);
    // An empty PHP array is also an empty object.
    if (Array.isArray(value) && value.length === 0) return {};
    return isJsonObject(value) ? value : undefined;
  }

  objects(name: string): readonly JsonObject[] {
    return toList(this.get(name)).filter(isJsonObject);
  }
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
