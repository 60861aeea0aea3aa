import { fieldValue, firstFieldValue } from '../../../base/http/message.ts';
import type { Json } from '../../../base/json.ts';
import { memoizeByString } from '../../../base/memoize.ts';
import { parseMultipartBoundary } from '../../../base/php/multipart.ts';
import {
  decodeByteString,
  isJsonContentType,
  parseVariables,
  toByteString,
  toPhpContentType,
  toWordPressContentType,
} from '../../../base/php/request.ts';
import { castJsonToArray, decodePhpJson } from '../../../base/php/values.ts';
import { type InvalidRequest, invalidJsonError } from './result.ts';

export interface RequestParameters {
  readonly json: ParameterSource;
  readonly form: ParameterSource;
  readonly query: ParameterSource;
  readonly path: ParameterSource;
}

export type ParameterSource = ReadonlyMap<string, Json>;

export const NO_PARAMETERS: ParameterSource = new Map();

/** `WP_REST_Request::get_parameter_order()`. A JSON body counts for all methods. */
const FORM_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function acceptsForm(method: string): boolean {
  return FORM_METHODS.has(method);
}

/** `get_param()`, before defaults. A null doesn't hide a later value (`isset`). */
export function findParameter(
  name: string,
  { json, form, query, path }: RequestParameters,
  hasForm: boolean,
): Json | undefined {
  return (
    json.get(name) ?? (hasForm ? form.get(name) : undefined) ?? query.get(name) ?? path.get(name) ?? undefined
  );
}

/** `get_params()`, before defaults. @param method after an override */
export function mergeParameters(parameters: RequestParameters, method: string): Map<string, Json> {
  const { json, form, query, path } = parameters;
  const values = new Map<string, Json>();
  for (const source of acceptsForm(method) ? [json, form, query, path] : [json, query, path]) {
    for (const [name, value] of source) if ((values.get(name) ?? null) === null) values.set(name, value);
  }
  return values;
}

/** @param groups byte strings */
export function toPathParameters(groups: Readonly<Record<string, string>>): ParameterSource {
  const names = Object.keys(groups);
  if (names.length === 0) return NO_PARAMETERS;
  return new Map<string, Json>(
    names.map((name) => [decodeByteString(name), decodeByteString(groups[name] ?? '')]),
  );
}

export type BodyParameters =
  | { readonly kind: 'complete'; readonly json: ParameterSource; readonly form: ParameterSource }
  | InvalidRequest
  | { readonly kind: 'uncertain'; readonly json: ParameterSource; readonly form: ParameterSource };

export const NO_BODY_PARAMETERS: BodyParameters = {
  kind: 'complete',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

export const TOO_COMPLEX_BODY_PARAMETERS: BodyParameters = { ...NO_BODY_PARAMETERS, kind: 'uncertain' };

interface BodyHead {
  readonly requestMethod: string;
  readonly method: string;
  readonly contentType: string | null;
}

export type BodyPlan =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'buffered'; readonly limit: number; parse(body: Uint8Array): BodyParameters }
  | { readonly kind: 'multipart' };

/** PHP's default `post_max_size` in bytes. */
export const DEFAULT_BODY_LIMIT: number = 8 * 1024 * 1024;

/** Bytes. Parsing escapes blocks other requests. */
const MAX_FORM_LENGTH = 2 * 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const IGNORED_BODY: BodyPlan = { kind: 'ignored' };
const MULTIPART_BODY: BodyPlan = { kind: 'multipart' };

/**
 * Plans how a body is parsed, as PHP and WordPress do it.
 * - WordPress parses JSON by its media type, whatever the method.
 * - PHP parses a form into `$_POST` when the method of the request line is `POST`.
 * - WordPress parses an urlencoded form when another method runs, also without media type.
 * @param limit in bytes
 */
export function planBody(head: BodyHead, limit: number = DEFAULT_BODY_LIMIT): BodyPlan {
  const { requestMethod, method, contentType } = head;
  if (method === 'OPTIONS') return IGNORED_BODY;
  const types = readContentType(contentType ?? '');
  if (requestMethod === 'POST' && types.php === MULTIPART) {
    // PHP has consumed the body.
    const isForm = acceptsForm(method) && parseMultipartBoundary(contentType ?? '') !== null;
    return isForm ? MULTIPART_BODY : IGNORED_BODY;
  }
  const formParser = selectFormParser({ requestMethod, method }, types);
  const { isJson } = types;
  if (!isJson && formParser === null) return IGNORED_BODY;
  return { kind: 'buffered', limit, parse: (body) => parseBody(body, isJson, formParser) };
}

/** Whether servers agree which of several `Content-Type` fields PHP gets, and on the content coding. */
export function isUnambiguousBody(headers: readonly string[]): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? '';
  return (
    fieldValue(headers, 'content-type') === firstFieldValue(headers, 'content-type') &&
    /^(?:identity)?$/i.test(coding.trim())
  );
}

interface ContentTypes {
  readonly php: string;
  readonly wordPress: string | null;
  readonly isJson: boolean;
}

const readContentType = memoizeByString(
  (contentType): ContentTypes => ({
    php: toPhpContentType(contentType),
    wordPress: toWordPressContentType(contentType),
    isJson: isJsonContentType(contentType),
  }),
);

type FormParser = 'php' | 'wordpress';

/** `null` when neither parses the body as an urlencoded form. */
function selectFormParser(
  { requestMethod, method }: Omit<BodyHead, 'contentType'>,
  { php, wordPress }: ContentTypes,
): FormParser | null {
  if (!acceptsForm(method)) return null;
  if (requestMethod === 'POST' && php === URLENCODED) return 'php';
  const isForm = method !== 'POST' && (wordPress ?? URLENCODED) === URLENCODED;
  return isForm ? 'wordpress' : null;
}

function parseBody(body: Uint8Array, isJson: boolean, formParser: FormParser | null): BodyParameters {
  if (body.length === 0) return NO_BODY_PARAMETERS;
  // PHP's `empty()` is true for "0".
  const isEmpty = body.length === 1 && body[0] === 0x30;
  const decoded = isJson && !isEmpty ? decodePhpJson(body) : null;
  if (decoded?.ok === false) {
    return decoded.error === null ? TOO_COMPLEX_BODY_PARAMETERS : invalidJsonError(decoded.error);
  }
  const hasForm = formParser === 'php' || (formParser === 'wordpress' && !isEmpty);
  if (hasForm && body.length > MAX_FORM_LENGTH) return TOO_COMPLEX_BODY_PARAMETERS;
  const { isComplete, values: form } = parseVariables(hasForm ? toByteString(body) : '');
  const json = decoded === null ? NO_PARAMETERS : castJsonToArray(decoded.value);
  return { kind: isComplete ? 'complete' : 'uncertain', json, form };
}
