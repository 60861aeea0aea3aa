import type { Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { ResolveReference, SchemaViolation } from '../wordpress/index.ts';
import { type CompiledArgument, compileArguments } from './arguments.ts';
import { lookUp, type Source, sourcesOf } from './parameters.ts';
import { invalidParams, missingParams, REQUIRED } from './refused.ts';
import type { RequestValues, SetAside, Verdict } from './result.ts';

/** Judges the requests to one operation as the site would, before it looks at who asks. */
export interface RequestJudge {
  /** @param setAside which rules do not count here; all do by default */
  judge(values: RequestValues, setAside?: SetAside): Verdict;
}

export const VALID: Verdict = { kind: 'valid' };

/**
 * `WP_REST_Request::has_valid_params()` and `sanitize_params()`, by what the document says of an operation's arguments.
 * What it cannot know, it does not refuse.
 *
 * @param resolve finds what a `$ref` of the document names
 */
export function createRequestJudge(operation: ServedOperation, resolve: ResolveReference): RequestJudge {
  const args = compileArguments(operation, resolve);
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const passes = [
    args.filter(({ isValidatedFirst }) => isValidatedFirst),
    args.filter(({ isValidatedFirst }) => !isValidatedFirst),
  ];
  const { method } = operation;

  return {
    judge(values, setAside) {
      const sources = sourcesOf(values, method);
      const missing = required.filter(
        (name) => lookUp(name, sources) === undefined && setAside?.(name, REQUIRED) !== true,
      );
      if (missing.length > 0) return missingParams(missing);
      if (sources.length === 0) return VALID;
      for (const pass of passes) {
        const refusals = refusalsOf(pass, sources, setAside);
        if (refusals !== null) return invalidParams(refusals);
      }
      return VALID;
    },
  };
}

/** In the order in which the arguments are declared; null where nothing is wrong. */
function refusalsOf(
  args: readonly CompiledArgument[],
  sources: readonly Source[],
  setAside: SetAside | undefined,
): ReadonlyMap<string, SchemaViolation> | null {
  let refusals: Map<string, SchemaViolation> | null = null;
  for (const argument of args) {
    const value = lookUp(argument.name, sources);
    const refusal = value === undefined ? null : refusalOf(argument, value);
    if (refusal === null || setAside?.(argument.name, refusal.code) === true) continue;
    refusals ??= new Map();
    refusals.set(argument.name, refusal);
  }
  return refusals;
}

function refusalOf(
  { name, validator, isCertainlyInvalid, checksSanitized }: CompiledArgument,
  value: Json,
): SchemaViolation | null {
  const { validate, sanitize } = validator();
  let refusal = validate(value, name);
  if (refusal === null && checksSanitized) {
    const made = sanitize(value, name);
    if (!made.ok) refusal = made.refusal;
  }
  return refusal === null || isCertainlyInvalid?.(value) === false ? null : refusal;
}
