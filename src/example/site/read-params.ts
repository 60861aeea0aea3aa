import type { Json } from '../../json.ts';
import { type SchemaViolation, createViolation } from '../../validation/wordpress/violation.ts';
import { toPathParameters } from '../../validation/request/index.ts';
import { isValidatedFirst } from '../../validation/request/core-arguments.ts';
import { invalidParamsError, missingParamsError } from '../../validation/request/result.ts';
import { mergeParameters, orderSources } from '../../validation/request/parameters.ts';
import type { SiteError, SiteRequest } from './declare.ts';
import { type Incoming, NO_SOURCE } from './incoming.ts';
import { siteError } from './outcome.ts';
import type { Argument, Endpoint, Found } from './registry.ts';

/** Parameters as they were given, and as the endpoint's arguments make them. */
export interface Merged {
  readonly values: ReadonlyMap<string, Json>;
  /** Names that the caller gave. */
  readonly given: ReadonlySet<string>;
}

/** Merges by WordPress's priority: JSON, form, query, path, defaults. A null does not hide what comes after it. */
export function mergeParams<State>(
  incoming: Incoming,
  endpoint: Endpoint<State>,
  groups: Readonly<Record<string, string>>,
): Merged {
  const { query, form, method } = incoming;
  const json = 'kind' in incoming.json ? NO_SOURCE : incoming.json;
  const values = mergeParameters(orderSources({ json, form, query, path: toPathParameters(groups) }, method));
  const given = new Set(values.keys());
  for (const argument of endpoint.args) {
    if (argument.default !== undefined && !given.has(argument.name))
      values.set(argument.name, argument.default);
  }
  return { values, given };
}

export type Judged =
  | { readonly ok: true; readonly values: ReadonlyMap<string, Json> }
  | { readonly ok: false; readonly error: SiteError };

/**
 * has_valid_params() and sanitize_params(): what is missing first, then all that is wrong at once of what has a
 * validator, then of the rest.
 */
export function judgeParams<State>(
  { values, given }: Merged,
  { endpoint: { args, declaration }, route: { pattern } }: Found<State>,
  request: SiteRequest<State>,
): Judged {
  const missing = args.filter(({ name, required }) => required && (values.get(name) ?? null) === null);
  if (missing.length > 0)
    return { ok: false, error: siteError(missingParamsError(missing.map(({ name }) => name))) };
  const judged = new Map(values);
  const isFirst = ({ name }: Argument): boolean => {
    const isGroup = pattern.includes(`(?P<${name}>`);
    return isValidatedFirst({ path: pattern, method: request.method, name, isGroup });
  };
  for (const first of [true, false]) {
    const refusals = new Map<string, SchemaViolation>();
    const byName = new Map(
      args.filter((argument) => isFirst(argument) === first).map((argument) => [argument.name, argument]),
    );
    // In the order of the request, as WordPress names them.
    for (const [name, value] of values) {
      const argument = byName.get(name);
      if (argument === undefined) continue;
      const result = judgeArgument(argument, value, given.has(name), {
        validate: ownOf(declaration.validate, name),
        sanitize: ownOf(declaration.sanitize, name),
        request,
      });
      if (result.ok) judged.set(name, result.value);
      else refusals.set(name, result.violation);
    }
    if (refusals.size > 0) return { ok: false, error: siteError(invalidParamsError(refusals)) };
  }
  return { ok: true, values: judged };
}

interface Own<State> {
  readonly validate: ((value: Json, request: SiteRequest<State>) => string | undefined) | undefined;
  readonly sanitize: ((value: Json) => Json) | undefined;
  readonly request: SiteRequest<State>;
}

type ArgumentResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violation: SchemaViolation };

function judgeArgument<State>(
  { name, judge }: Argument,
  value: Json,
  isGiven: boolean,
  { validate, sanitize, request }: Own<State>,
): ArgumentResult {
  // A null is not validated, and a default is the site's own.
  if (isGiven && value !== null) {
    const message = validate?.(value, request);
    if (message !== undefined) return { ok: false, violation: createViolation('rest_invalid_param', message) };
    const refused = judge?.validate(value, name) ?? null;
    if (refused !== null) return { ok: false, violation: refused };
  }
  if (sanitize !== undefined) return { ok: true, value: sanitize(value) };
  const sanitized = judge?.sanitize(value, name) ?? { ok: true, value };
  return sanitized.ok || isGiven ? sanitized : { ok: true, value };
}

function ownOf<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
