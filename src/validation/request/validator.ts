import { LRUCache } from 'lru-cache';
import type { Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { ResolveReference, SchemaViolation } from '../wordpress/index.ts';
import { type CompiledArgument, compileArguments } from './arguments.ts';
import { findParameter, orderSources, type ParameterSource, type RequestParameters } from './parameters.ts';
import {
  type IsRuleSuspended,
  invalidParamsError,
  missingParamsError,
  REQUIRED_RULE,
  VALID_REQUEST,
  type ValidationResult,
} from './result.ts';

/** Validates requests to one operation as the site does before it checks permissions. */
export interface RequestValidator {
  /** @param isSuspended tells which rules are ignored; none by default */
  validate(parameters: RequestParameters, isSuspended?: IsRuleSuspended): ValidationResult;
}

/**
 * Creates the validator of an operation. It does what `WP_REST_Request::has_valid_params()` and `sanitize_params()` do with
 * the arguments that the document declares. A value is valid unless the document proves it invalid.
 *
 * @param resolve resolves a `$ref` of the document
 */
export function createRequestValidator(
  operation: ServedOperation,
  resolve: ResolveReference,
): RequestValidator {
  const args = compileArguments(operation, resolve);
  const required = args.filter((argument) => argument.isRequired).map(({ name }) => name);
  const withCallback = new Set(
    args.filter(({ isCertainlyInvalid }) => isCertainlyInvalid !== undefined).map(({ name }) => name),
  );
  const passes = [
    args.filter(({ isValidatedFirst }) => isValidatedFirst),
    args.filter(({ isValidatedFirst }) => !isValidatedFirst),
  ];
  const { method } = operation;

  return {
    validate(parameters, isSuspended) {
      const sources = orderSources(parameters, method);
      const missing = required.filter(
        (name) => findParameter(name, sources) === undefined && isSuspended?.(name, REQUIRED_RULE) !== true,
      );
      if (missing.length > 0) return missingParamsError(missing);
      if (sources.length === 0) return VALID_REQUEST;
      for (const pass of passes) {
        const violations = collectViolations(pass, sources, isSuspended);
        if (violations !== null) return invalidParamsError(violations, (name) => withCallback.has(name));
      }
      return VALID_REQUEST;
    },
  };
}

/** Collects violations in the order of the declared arguments; `null` when there are none. */
function collectViolations(
  args: readonly CompiledArgument[],
  sources: readonly ParameterSource[],
  isSuspended: IsRuleSuspended | undefined,
): ReadonlyMap<string, SchemaViolation> | null {
  let violations: Map<string, SchemaViolation> | null = null;
  for (const argument of args) {
    const value = findParameter(argument.name, sources);
    const violation = value === undefined ? null : findViolation(argument, value);
    if (violation === null || isSuspended?.(argument.name, violation.code) === true) continue;
    violations ??= new Map();
    violations.set(argument.name, violation);
  }
  return violations;
}

function findViolation(
  { name, getValidator, isCertainlyInvalid, validatesSanitizedValue }: CompiledArgument,
  value: Json,
): SchemaViolation | null {
  const { validate, sanitize } = getValidator();
  let violation = validate(value, name);
  if (violation === null && validatesSanitizedValue) {
    const sanitized = sanitize(value, name);
    if (!sanitized.ok) violation = sanitized.violation;
  }
  return violation === null || isCertainlyInvalid?.(value) === false ? null : violation;
}

/** The validators of a document's operations. Each is created for the first request, so that start-up stays short. */
export interface RequestValidators {
  get(operation: ServedOperation): RequestValidator;
}

export interface RequestValidatorsOptions {
  /** Resolves a `$ref` of the document. */
  readonly resolveReference: ResolveReference;
  /** Maximum number of validators in memory. The least recently used is discarded. @default 2000 */
  readonly maxValidators?: number;
}

export function createRequestValidators({
  resolveReference,
  maxValidators = 2000,
}: RequestValidatorsOptions): RequestValidators {
  const cache = new LRUCache<ServedOperation, RequestValidator>({ max: maxValidators });
  return {
    get(operation) {
      const cached = cache.get(operation);
      if (cached !== undefined) return cached;
      const created = createRequestValidator(operation, resolveReference);
      cache.set(operation, created);
      return created;
    },
  };
}
