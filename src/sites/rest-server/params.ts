import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { toPhpInteger, toPhpString } from '../../base/php/values.ts';
import { isPhpScalar, splitPhpList, toPhpNumber } from '../../generator/validation/wordpress/schema.ts';
import { toBoolean } from '../../generator/validation/wordpress/validate.ts';

/**
 * Parameters of a request, merged in WordPress's order: JSON body, form, query, path, defaults. Readers
 * return `fallback` or `undefined` for absent and unconvertible values.
 */
export class RequestParams {
  private readonly values: ReadonlyMap<string, Json>;

  constructor(values: ReadonlyMap<string, Json>) {
    this.values = values;
  }

  get(name: string): Json | undefined {
    return this.values.get(name);
  }

  /** Defaults count, `null` doesn't. */
  has(name: string): boolean {
    return (this.get(name) ?? null) !== null;
  }

  names(): Iterable<string> {
    return this.values.keys();
  }

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

  /** As in WordPress, `"false"`, `"0"` and `""` are false. */
  boolean(name: string, fallback = false): boolean {
    const value = this.get(name) ?? null;
    return isPhpScalar(value) ? toBoolean(value) : fallback;
  }

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

function toText(value: Json = null): string | undefined {
  return isPhpScalar(value) ? toPhpString(value) : undefined;
}

function toNumber(value: Json = null): number | undefined {
  return typeof value === 'boolean' ? Number(value) : (toPhpNumber(value) ?? undefined);
}

export function toList(value: Json = null): readonly Json[] {
  if (typeof value === 'string') return splitPhpList(value);
  if (typeof value === 'object') return Object.values<Json>(value ?? {});
  return [value];
}
