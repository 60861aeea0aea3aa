import type { Json } from '../json.ts';
import { isValidatedFirst } from '../validation/request/core-arguments.ts';
import { mergeParameters, toPathParameters } from '../validation/request/parameters.ts';
import { invalidParamsError, missingParamsError } from '../validation/request/result.ts';
import { createViolation, type SchemaViolation } from '../validation/wordpress/keywords.ts';
import { NO_VALUES, type RestRequest, type SiteError, type SiteRequest } from './declarations.ts';
import { toSiteError } from './responses.ts';
import type { RegisteredArgument, RegisteredEndpoint, RouteMatch } from './routes.ts';

/** The merged parameters of a request, before validation. */
export interface MergedParams {
  readonly values: ReadonlyMap<string, Json>;
  /** Names of the parameters that the client sent. */
  readonly suppliedNames: ReadonlySet<string>;
}

/** Merges in WordPress's order: JSON, form, query, path, defaults. A `null` does not hide a later source. */
export function mergeRequestParams<State>(
  restRequest: RestRequest,
  endpoint: RegisteredEndpoint<State>,
  groups: Readonly<Record<string, string>>,
): MergedParams {
  const { query, form, method } = restRequest;
  const json = 'kind' in restRequest.json ? NO_VALUES : restRequest.json;
  const values = mergeParameters({ json, form, query, path: toPathParameters(groups) }, method);
  const suppliedNames = new Set(values.keys());
  for (const argument of endpoint.args) {
    if (argument.default !== undefined && !suppliedNames.has(argument.name))
      values.set(argument.name, argument.default);
  }
  return { values, suppliedNames };
}

/**
 * `has_valid_params()` and `sanitize_params()`: reports missing parameters first, then all violations of arguments that
 * have a `validate_callback` in WordPress, then those of the others.
 */
export function validateParams<State>(
  { values, suppliedNames }: MergedParams,
  { endpoint, route: { pattern } }: RouteMatch<State>,
  request: SiteRequest<State>,
): ReadonlyMap<string, Json> | SiteError {
  const { args } = endpoint;
  const missingArgs = args.filter(({ name, required }) => required && (values.get(name) ?? null) === null);
  if (missingArgs.length > 0) return toSiteError(missingParamsError(missingArgs.map(({ name }) => name)));
  const validated = new Map(values);
  const isInFirstPass = ({ name }: RegisteredArgument): boolean => {
    const isGroup = pattern.includes(`(?P<${name}>`);
    return isValidatedFirst({ path: pattern, method: request.method, name, isGroup });
  };
  for (const isFirstPass of [true, false]) {
    const violations = new Map<string, SchemaViolation>();
    const byName = new Map(
      args
        .filter((argument) => isInFirstPass(argument) === isFirstPass)
        .map((argument) => [argument.name, argument]),
    );
    // Violations are reported in the order of the request, as by WordPress.
    for (const [name, value] of values) {
      const argument = byName.get(name);
      if (argument === undefined) continue;
      const result = validateArgument(argument, value, suppliedNames.has(name), endpoint, request);
      if (result.ok) validated.set(name, result.value);
      else violations.set(name, result.violation);
    }
    if (violations.size > 0) return toSiteError(invalidParamsError(violations));
  }
  return validated;
}

type ArgumentResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violation: SchemaViolation };

function validateArgument<State>(
  { name, validator }: RegisteredArgument,
  value: Json,
  isSupplied: boolean,
  { sanitize: sanitizers, validate }: RegisteredEndpoint<State>,
  request: SiteRequest<State>,
): ArgumentResult {
  const sanitize = getOwn(sanitizers, name);
  // WordPress validates neither `null` nor defaults.
  if (isSupplied && value !== null) {
    const found = getOwn(validate, name)?.(value, request);
    if (found !== undefined) {
      const violation = typeof found === 'string' ? createViolation('rest_invalid_param', found) : found;
      return { ok: false, violation };
    }
    const violation = validator?.validate(value, name) ?? null;
    if (violation !== null) return { ok: false, violation };
  }
  if (sanitize !== undefined) return { ok: true, value: sanitize(value) };
  const sanitized = validator?.sanitize(value, name) ?? { ok: true, value };
  return sanitized.ok || isSupplied ? sanitized : { ok: true, value };
}

function getOwn<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
