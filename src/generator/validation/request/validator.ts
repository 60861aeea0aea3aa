import { extensionOf, getDeclaredDefault, getNeededNames } from '../../../base/document-extensions.ts';
import { type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../../../base/json.ts';
import { lazy } from '../../../base/memoize.ts';
import { GLOBAL_PARAMETER_NAMES, type Operation } from '../../openapi/index.ts';
import type { SchemaViolation } from '../wordpress/keywords.ts';
import { dereferenceSchema, type ResolveReference } from '../wordpress/schema.ts';
import { createSchemaValidator, type SchemaValidator } from '../wordpress/validate.ts';
import { type ArgumentCallback, findArgumentCallback, isValidatedFirst } from './core-arguments.ts';
import { acceptsForm, findParameter, type RequestParameters } from './parameters.ts';
import {
  type IsRuleIgnored,
  invalidParamsError,
  missingParamsError,
  REQUIRED_RULE,
  VALID_REQUEST,
  type ValidationResult,
} from './result.ts';

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
