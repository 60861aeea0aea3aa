import type { Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { ResolveReference, SchemaViolation } from '../wordpress/index.ts';
import { type CompiledArgument, compileArguments } from './arguments.ts';
import { findParameter, orderSources, type ParameterSource } from './parameters.ts';
import { invalidParamsError, missingParamsError, REQUIRED_RULE } from './refused.ts';
import type { RequestParameters, SuspensionTest, ValidationResult } from './result.ts';

/** Judges the requests to one operation as the site would, before it looks at who asks. */
export interface RequestValidator {
  /** @param setAside which rules do not count here; all do by default */
  validate(values: RequestParameters, isSuspended?: SuspensionTest): ValidationResult;
}

export const VALID_REQUEST: ValidationResult = { kind: 'valid' };

/**
 * `WP_REST_Request::has_valid_params()` and `sanitize_params()`, by what the document says of an operation's arguments.
 * What it cannot know, it does not refuse.
 *
 * @param resolve finds what a `$ref` of the document names
 */
export function createRequestValidator(
  operation: ServedOperation,
  resolve: ResolveReference,
): RequestValidator {
  const args = compileArguments(operation, resolve);
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const passes = [
    args.filter(({ isValidatedFirst }) => isValidatedFirst),
    args.filter(({ isValidatedFirst }) => !isValidatedFirst),
  ];
  const { method } = operation;

  return {
    validate(values, isSuspended) {
      const sources = orderSources(values, method);
      const missing = required.filter(
        (name) => findParameter(name, sources) === undefined && isSuspended?.(name, REQUIRED_RULE) !== true,
      );
      if (missing.length > 0) return missingParamsError(missing);
      if (sources.length === 0) return VALID_REQUEST;
      for (const pass of passes) {
        const violations = collectViolations(pass, sources, isSuspended);
        if (violations !== null) return invalidParamsError(violations);
      }
      return VALID_REQUEST;
    },
  };
}

/** In the order in which the arguments are declared; null where nothing is wrong. */
function collectViolations(
  args: readonly CompiledArgument[],
  sources: readonly ParameterSource[],
  isSuspended: SuspensionTest | undefined,
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
  { name, validator, isCertainlyInvalid, checksSanitized }: CompiledArgument,
  value: Json,
): SchemaViolation | null {
  const { validate, sanitize } = validator();
  let violation = validate(value, name);
  if (violation === null && checksSanitized) {
    const made = sanitize(value, name);
    if (!made.ok) violation = made.refusal;
  }
  return violation === null || isCertainlyInvalid?.(value) === false ? null : violation;
}
