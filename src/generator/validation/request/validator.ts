import { extensionOf, getDeclaredDefault, getNeededNames } from '../../../base/document-extensions.ts';
import { fieldValue, firstFieldValue } from '../../../base/http/fields.ts';
import { type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../../../base/json.ts';
import { lazy, memoizeByString } from '../../../base/memoize.ts';
import { parseMultipartBoundary } from '../../../base/php/form-scan.ts';
import {
  decodeByteString,
  isJsonContentType,
  parseVariables,
  toByteString,
  toPhpContentType,
  toWordPressContentType,
} from '../../../base/php/request.ts';
import { castJsonToArray, decodePhpJson } from '../../../base/php/values.ts';
import { GLOBAL_PARAMETER_NAMES, type Operation } from '../../openapi/index.ts';
import type { SchemaViolation } from '../wordpress/keywords.ts';
import { dereferenceSchema, type ResolveReference } from '../wordpress/schema.ts';
import { createSchemaValidator, type SchemaValidator } from '../wordpress/validate.ts';
import { type ArgumentCallback, findArgumentCallback, isValidatedFirst } from './core-arguments.ts';
import {
  type InvalidRequest,
  type IsRuleIgnored,
  invalidJsonError,
  invalidParamsError,
  missingParamsError,
  REQUIRED_RULE,
  VALID_REQUEST,
  type ValidationResult,
} from './result.ts';

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

function acceptsForm(method: string): boolean {
  return FORM_METHODS.has(method);
}

/** `get_param()`, before defaults. A null doesn't hide a later value (`isset`). */
function findParameter(
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
  | { readonly kind: 'buffered'; parse(body: Uint8Array): BodyParameters }
  | { readonly kind: 'multipart' };

/** Bytes of a body that is parsed. It takes up to 50 ms, in which nobody else is served. */
export const MAX_PARSED_LENGTH: number = 4 * 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const IGNORED_BODY: BodyPlan = { kind: 'ignored' };
const MULTIPART_BODY: BodyPlan = { kind: 'multipart' };

/**
 * Plans how a body is parsed, as PHP and WordPress do it.
 * - WordPress parses JSON by its media type, whatever the method.
 * - PHP parses a form into `$_POST` when the method of the request line is `POST`.
 * - WordPress parses an urlencoded form when another method runs, also without media type.
 */
export function planBody(head: BodyHead): BodyPlan {
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
  return { kind: 'buffered', parse: (body) => parseBody(body, isJson, formParser) };
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
  const { isComplete, values: form } = parseVariables(hasForm ? toByteString(body) : '');
  const json = decoded === null ? NO_PARAMETERS : castJsonToArray(decoded.value);
  return { kind: isComplete ? 'complete' : 'uncertain', json, form };
}

export interface FullValidation {
  readonly result: ValidationResult;
  readonly parameters: RequestParameters | null;
}

/** As `has_valid_params()` and `sanitize_params()`. A value is valid unless the document proves it invalid. */
export class RequestValidator {
  readonly #acceptsForm: boolean;
  readonly #required: readonly string[];
  readonly #passes: readonly (readonly CompiledArgument[])[];

  constructor(operation: Operation, resolve: ResolveReference) {
    const args = Array.from(listArguments(operation, resolve).values(), (argument) =>
      compileArgument(operation, argument, resolve),
    );
    this.#acceptsForm = acceptsForm(operation.method);
    this.#required = args.filter((argument) => argument.isRequired).map(({ name }) => name);
    this.#passes = [
      args.filter(({ isValidatedFirst }) => isValidatedFirst),
      args.filter(({ isValidatedFirst }) => !isValidatedFirst),
    ];
  }

  validate(parameters: RequestParameters, isIgnored?: IsRuleIgnored): ValidationResult {
    const { json, form, query, path } = parameters;
    const hasForm = this.#acceptsForm && form.size > 0;
    let missing: string[] | null = null;
    for (const name of this.#required) {
      if (findParameter(name, parameters, hasForm) !== undefined) continue;
      if (isIgnored?.(name, REQUIRED_RULE) === true) continue;
      missing ??= [];
      missing.push(name);
    }
    if (missing !== null) return missingParamsError(missing);
    if (json.size === 0 && query.size === 0 && path.size === 0 && !hasForm) return VALID_REQUEST;
    for (const pass of this.#passes) {
      const violations = collectViolations(pass, parameters, hasForm, isIgnored);
      if (violations !== null) return invalidParamsError(violations);
    }
    return VALID_REQUEST;
  }
}

function collectViolations(
  args: readonly CompiledArgument[],
  parameters: RequestParameters,
  hasForm: boolean,
  isIgnored: IsRuleIgnored | undefined,
): ReadonlyMap<string, SchemaViolation> | null {
  let violations: Map<string, SchemaViolation> | null = null;
  for (const argument of args) {
    const value = findParameter(argument.name, parameters, hasForm);
    const violation = value === undefined ? null : findViolation(argument, value);
    if (violation === null || isIgnored?.(argument.name, violation.code) === true) continue;
    violations ??= new Map();
    violations.set(argument.name, violation);
  }
  return violations;
}

function findViolation(argument: CompiledArgument, value: Json): SchemaViolation | null {
  const { name, getValidator, callback, declaredSchema, validatesSanitizedValue } = argument;
  const { validate, sanitize } = getValidator();
  let violation = validate(value, name);
  if (violation === null && validatesSanitizedValue) {
    const sanitized = sanitize(value, name);
    if (!sanitized.ok) violation = sanitized.violation;
  }
  if (callback === undefined) return violation;
  return callback.isInvalid?.(value, declaredSchema) === true
    ? (violation ?? callback.violation ?? null)
    : null;
}

interface CompiledArgument {
  readonly name: string;
  readonly declaredSchema: JsonObject;
  readonly isRequired: boolean;
  readonly getValidator: () => SchemaValidator;
  /** `undefined` when the site uses the schema. */
  readonly callback: ArgumentCallback | undefined;
  /** Whether items that differ in spelling can become equal. */
  readonly validatesSanitizedValue: boolean;
  readonly isValidatedFirst: boolean;
}

function compileArgument(
  { method, path }: Operation,
  { name, isGroup, isRequired, schema }: OperationArgument,
  resolve: ResolveReference,
): CompiledArgument {
  const declaredSchema = withDeclaredType(schema);
  const declared = { path, method, name, isGroup, schema: declaredSchema };
  return {
    name,
    declaredSchema,
    isRequired: isRequired && (getDeclaredDefault(schema) ?? null) === null,
    getValidator: lazy(() => createSchemaValidator(schema, resolve)),
    callback: findArgumentCallback(declared),
    validatesSanitizedValue: /"uniqueItems":true|"\$ref":/.test(JSON.stringify(schema)),
    isValidatedFirst: isValidatedFirst(declared),
  };
}

export interface OperationArgument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  readonly isGroup: boolean;
}

/** In the order of the site's declarations. The first of a name counts. */
export function listArguments(
  { parameters, bodySchema = {} }: Operation,
  resolve: ResolveReference,
): ReadonlyMap<string, OperationArgument> {
  const byName = new Map<string, OperationArgument>();
  const add = (name: string, input: Json, isRequired: boolean, isGroup: boolean): void => {
    if (byName.has(name)) return;
    byName.set(name, { name, schema: dereferenceSchema(input, resolve), isRequired, isGroup });
  };
  for (const { name, in: location, required, schema } of parameters) {
    const isGroup = location === 'path';
    // The site does not validate parameters of every route (`_fields`, …).
    if (isGroup || !GLOBAL_PARAMETER_NAMES.has(name)) add(name, schema, required && !isGroup, isGroup);
  }
  const body = dereferenceSchema(bodySchema, resolve);
  const { properties, required } = body;
  const needed = getNeededNames(body);
  const names = new Set(jsonItems(required).filter((name) => !needed.has(name)));
  for (const [name, schema] of jsonMembers(properties)) {
    // OpenAPI applies `required` to a read-only property in responses only.
    add(name, schema, names.has(name) && memberAt(schema, 'readOnly') !== true, false);
  }
  return byName;
}

/** Undoes the generator's changes: removes inferred types, restores the site's. */
function withDeclaredType(schema: JsonObject): JsonObject {
  const input = extensionOf(schema, 'type');
  if (input === undefined) return schema;
  const { type: _, ...others } = schema;
  return input === null ? others : { ...others, type: input };
}
