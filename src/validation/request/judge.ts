import type { Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { Refusal, Resolve } from '../wordpress/index.ts';
import { type Argument, argumentsOf } from './arguments.ts';
import { invalidParams, missingParams, REQUIRED } from './refused.ts';
import { lookUp, type Source, sourcesOf } from './values.ts';
import type { RequestValues, SetAside, Verdict } from './verdict.ts';

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
export function createRequestJudge(operation: ServedOperation, resolve: Resolve): RequestJudge {
  const args = argumentsOf(operation, resolve);
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const passes = [args.filter(({ first }) => first), args.filter(({ first }) => !first)];
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
  args: readonly Argument[],
  sources: readonly Source[],
  setAside: SetAside | undefined,
): ReadonlyMap<string, Refusal> | null {
  let refusals: Map<string, Refusal> | null = null;
  for (const argument of args) {
    const value = lookUp(argument.name, sources);
    const refusal = value === undefined ? null : refusalOf(argument, value);
    if (refusal === null || setAside?.(argument.name, refusal.code) === true) continue;
    refusals ??= new Map();
    refusals.set(argument.name, refusal);
  }
  return refusals;
}

function refusalOf({ name, judge, holds, sanitized }: Argument, value: Json): Refusal | null {
  const { validate, sanitize } = judge();
  let refusal = validate(value, name);
  if (refusal === null && sanitized) {
    const made = sanitize(value, name);
    if (!made.ok) refusal = made.refusal;
  }
  return refusal === null || holds?.(value) === false ? null : refusal;
}
