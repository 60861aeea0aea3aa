import { isJsonObject, type Json, type JsonStructure, parseJson, toText } from '../../base/json.ts';
import { writePhpQuery } from '../../base/php/request.ts';
import { encodePathValue } from '../client/runtime/client.ts';
import type { ParameterRow } from './operation-details.ts';

export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly baseUrl: string;
  readonly pathParameters: readonly {
    readonly name: string;
    readonly value: Json;
    readonly mayContainSlashes: boolean;
  }[];
  readonly query: readonly (readonly [name: string, value: Json])[];
  readonly body: JsonStructure | undefined;
  readonly file: SampleFile | undefined;
  readonly credentials: 'none' | 'user' | 'bearer' | CartCredentials;
}

export interface SampleFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
}

export function createSampleFile(field: string): SampleFile {
  return { field, name: 'photo.jpg', type: 'image/jpeg' };
}

export const PLACEHOLDERS = { username: 'username', password: 'application password' } as const;

/** A cart that a token names, or the cookie of a session as in shops before WooCommerce 5.9. */
type CartCredentials = 'cart' | 'sessionCart';

/** WooCommerce 8 needs both for a change, 10 the first. */
const CART_FIELDS: Readonly<
  Record<CartCredentials, readonly (readonly [name: string, placeholder: string])[]>
> = {
  cart: [
    ['Cart-Token', 'token of the cart'],
    ['Nonce', 'nonce of the cart'],
  ],
  sessionCart: [
    ['Cookie', 'cookies of the cart'],
    ['X-WC-Store-API-Nonce', 'nonce of the cart'],
  ],
};

/** @returns none for other credentials */
export function cartFieldsOf(credentials: SampleRequest['credentials']): (typeof CART_FIELDS)['cart'] {
  return credentials === 'cart' || credentials === 'sessionCart' ? CART_FIELDS[credentials] : [];
}

export function isCartPath(path: string): boolean {
  return /^\/wc\/store\/(?:v\d+\/)?(?:batch|cart|checkout|order)(?:\/|$)/.test(path);
}

export function isWritingMethod(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

export function toSampleUrl({
  baseUrl,
  path,
  pathParameters,
  query,
}: Pick<SampleRequest, 'baseUrl' | 'path' | 'pathParameters' | 'query'>): string {
  const values = new Map(pathParameters.map((parameter) => [parameter.name, parameter]));
  const filled = path.replace(/\{([^{}]*)\}/g, (template, name: string) => {
    const parameter = values.get(name);
    return parameter ? encodePathValue(toText(parameter.value), parameter.mayContainSlashes) : template;
  });
  const text = writePhpQuery(query, true);
  return baseUrl + filled + (text === '' ? '' : `${baseUrl.includes('?') ? '&' : '?'}${text}`);
}

/** Names path values for which the client would throw: missing ones, and ones that lead elsewhere. */
export function findPathProblems({
  path,
  pathParameters,
}: Pick<SampleRequest, 'path' | 'pathParameters'>): ReadonlyMap<string, string> {
  const values = new Map(
    pathParameters.map(({ mayContainSlashes, name, value }) => [
      name,
      encodePathValue(toText(value), mayContainSlashes),
    ]),
  );
  const problems = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']): [string, string] => {
    const value = values.get(name) ?? '';
    if (value === '') return [name, `${name} is missing.`];
    return [name, /(?:^|\/)\.\.?(?:\/|$)/.test(value) ? `${name} must not be "." or "..".` : ''];
  });
  return new Map(problems.filter(([, problem]) => problem !== ''));
}

export function toDisposition({ name }: Pick<SampleFile, 'name'>): string {
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"`;
}

export interface RequestForm {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly RequestField[];
  readonly body: JsonStructure | undefined;
  /** Empty if it is the content. */
  readonly upload: string | undefined;
  readonly credentials: SampleRequest['credentials'];
}

export interface RequestField
  extends Pick<ParameterRow, 'name' | 'type' | 'isRequired' | 'allowed' | 'default' | 'mayContainSlashes'> {
  readonly in: 'path' | 'query';
  readonly isCommon: boolean;
  /** Initial value: an example of a required parameter. The path of a write has none. */
  readonly value: Json | undefined;
}

export type RequestForms = Readonly<Record<string, RequestForm>>;

/** `5` becomes a number, `1,2` a list. @param type `integer or null`, `list of strings` */
export function toTypedValue(text: string, type: string): Json {
  const scalar = toScalar(text, type);
  if (typeof scalar !== 'string') return scalar;
  if (/\blist\b/.test(type)) {
    const parsed = parseJson(text);
    return Array.isArray(parsed) ? parsed : text.split(',').map((item) => toScalar(item.trim(), type));
  }
  const parsed = /\bobject\b/.test(type) ? parseJson(text) : undefined;
  return isJsonObject(parsed) ? parsed : text;
}

function toScalar(text: string, type: string): string | number | boolean {
  // Numbers that another spelling would denote stay texts: 007, 1e3.
  if (/\b(?:integer|number)/.test(type) && String(Number(text)) === text) return Number(text);
  if (/\bboolean/.test(type) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
