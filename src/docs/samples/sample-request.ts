import type { Json, JsonObject } from '../../json.ts';

/** A request that code samples show. This module runs in the browser too. */
export interface SampleRequest {
  readonly method: string;
  /** `/wp/v2/posts/{id}` */
  readonly path: string;
  /** URL of the interface at the gateway, without a slash at its end. */
  readonly baseUrl: string;
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: Json])[];
  readonly body: JsonObject | undefined;
  readonly file: SampleFile | undefined;
}

/** A file that the request uploads. */
export interface SampleFile {
  /** The field of a form that carries it; empty if it is the whole content of the request. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
}

/** The URL of a sample, with its path parameters and its query. */
export function toSampleUrl({ baseUrl, path, pathParameters, query }: SampleRequest): string {
  const values = new Map(pathParameters);
  const filled = path.replace(/\{([^{}]*)\}/g, (template, name: string) => {
    const value = values.get(name);
    return value === undefined ? template : encodeURIComponent(value);
  });
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeQueryValue(value)}`);
  return baseUrl + filled + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** WordPress splits a list at its commas. */
function encodeQueryValue(value: Json): string {
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  return items
    .map((item) => encodeURIComponent(typeof item === 'string' ? item : JSON.stringify(item)))
    .join(',');
}
