import type { Json } from '../json.ts';
import { isValidatedFirst } from '../validation/request/core-arguments.ts';
import { mergeParameters, toPathParameters } from '../validation/request/parameters.ts';
import { invalidParamsError, missingParamsError } from '../validation/request/result.ts';
import { createViolation, type SchemaViolation } from '../validation/wordpress/keywords.ts';
import {
  type ArgumentSchemas,
  NO_VALUES,
  type RestRequest,
  type SiteError,
  type SiteRequest,
} from './declarations.ts';
import { toSiteError } from './responses.ts';
import type { RegisteredEndpoint, RouteMatch } from './routes.ts';

/** The merged parameters of a request, before validation. */
export interface MergedParams {
  readonly values: ReadonlyMap<string, Json>;
  /** Names of the parameters that the client sent. */
  readonly suppliedNames: ReadonlySet<string>;
}

/** Merges in WordPress's order: JSON, form, query, path, defaults. A `null` does not hide a later source. */
export function mergeRequestParams(
  restRequest: RestRequest,
  args: ArgumentSchemas,
  groups: Readonly<Record<string, string>>,
): MergedParams {
  const { query, form, method } = restRequest;
  const json = 'kind' in restRequest.json ? NO_VALUES : restRequest.json;
  const values = mergeParameters({ json, form, query, path: toPathParameters(groups) }, method);
  const suppliedNames = new Set(values.keys());
  for (const [name, { default: preset = null }] of Object.entries(args)) {
    if (preset !== null && !suppliedNames.has(name)) values.set(name, preset);
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
  const missing = Object.keys(args).filter(
    (name) => args[name]?.['required'] === true && (values.get(name) ?? null) === null,
  );
  if (missing.length > 0) return toSiteError(missingParamsError(missing));
  const validated = new Map(values);
  const isInFirstPass = (name: string): boolean => {
    const isGroup = pattern.includes(`(?P<${name}>`);
    return isValidatedFirst({ path: pattern, method: request.method, name, isGroup });
  };
  for (const isFirstPass of [true, false]) {
    const violations = new Map<string, SchemaViolation>();
    // Violations are reported in the order of the request, as by WordPress.
    for (const [name, value] of values) {
      if (!Object.hasOwn(args, name) || isInFirstPass(name) !== isFirstPass) continue;
      const result = validateArgument(name, value, suppliedNames.has(name), endpoint, request);
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
  name: string,
  value: Json,
  isSupplied: boolean,
  { sanitize: sanitizers, validate, validators }: RegisteredEndpoint<State>,
  request: SiteRequest<State>,
): ArgumentResult {
  const sanitize = getOwn(sanitizers, name);
  const validator = validators.get(name);
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
