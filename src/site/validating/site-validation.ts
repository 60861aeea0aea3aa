import type { RouteValidationMode } from '../../config/option-types.ts';
import { RouteSelector } from '../../discovery/route-selection.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import { isBatchOperation } from '../../validation/request/batch.ts';
import { NO_BODY_PARAMETERS } from '../../validation/request/parameters.ts';
import { listBrokenRules, type ParameterRule, type ValidationMode } from '../../validation/request/result.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { OperationRules, type RuleViolations, ValidationContext } from './operation-rules.ts';
import { type IncomingRequest, parseParameters, RequestValidation } from './request-validation.ts';

/** Its counts outlive the snapshots. */
export class SiteValidation {
  readonly mode: ValidationMode;
  readonly context: ValidationContext;
  readonly #resolveMode: ReturnType<typeof createModeResolver>;
  readonly #trusted: ReadonlySet<string>;
  readonly #rejectsUnknownRoutes: boolean;
  readonly #rules = new WeakMap<Operation, OperationRules | null>();

  constructor({ unknownRoutes, validation = {} }: SiteOptions, log: Log) {
    const { bodyLimit, mode = 'off', routes = [], trust = [] } = validation;
    this.mode = mode;
    this.context = new ValidationContext(log, bodyLimit);
    this.#resolveMode = createModeResolver(mode, routes);
    this.#trusted = new Set(trust);
    this.#rejectsUnknownRoutes = unknownRoutes === 'refuse';
  }

  createRequestValidation(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    const { match, target } = request.resolved;
    // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
    if (target.method === 'OPTIONS' || match.kind !== 'found') return null;
    const rules = this.#getRules(snapshot, match);
    if (this.#rejectsUnknownRoutes && target.method === 'POST' && isBatchOperation(match.operation)) {
      // What is known of a batch is not known of its subrequests.
      const { memo: _, ...batch } = request;
      return new RequestValidation(rules, this.context, batch, snapshot.matcher);
    }
    return rules && new RequestValidation(rules, this.context, request);
  }

  /** `null` in mode `off`, or if another route can run instead. */
  #getRules({ requestValidators }: Snapshot, match: OperationMatch): OperationRules | null {
    if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
    const { operation, route } = match;
    const known = this.#rules.get(operation);
    if (known !== undefined) return known;
    const mode = this.#resolveMode(route);
    const isTrusted = this.#trusted.has(route.namespace);
    const created = isOn(mode) ? new OperationRules(match, mode, isTrusted, requestValidators) : null;
    this.#rules.set(operation, created);
    return created;
  }

  /** Tells what would happen to a read; `null` if it is undeclared, or cannot be parsed as the site does. */
  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null {
    const { match } = request.resolved;
    const { requestValidators } = snapshot;
    const parameters = parseParameters(request, NO_BODY_PARAMETERS);
    if (match.kind !== 'found' || requestValidators === null || parameters === null) return null;
    const rules = this.#getRules(snapshot, match);
    const result = requestValidators.get(match.operation).validate(parameters);
    return {
      mode: rules?.mode ?? 'off',
      violations: listBrokenRules(result),
      isRefused: (rules?.findRefusal({ result, parameters }) ?? null) !== null,
    };
  }

  createReport(): SiteValidationReport {
    return { mode: this.mode, requests: { ...this.context.counts }, rules: this.context.listViolations() };
  }
}

export function createModeResolver(
  mode: ValidationMode,
  routes: readonly RouteValidationMode[],
): (route: Pick<ServedRoute, 'namespace' | 'pattern'>) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    selector: new RouteSelector({ include: [entry.match] }),
  }));
  return ({ namespace, pattern }) =>
    entries.find(({ selector }) => selector.matches(pattern, namespace))?.mode ?? mode;
}

function isOn(mode: ValidationMode): mode is Exclude<ValidationMode, 'off'> {
  return mode !== 'off';
}

export interface SiteValidationReport {
  readonly mode: ValidationMode;
  readonly requests: ValidationContext['counts'];
  readonly rules: readonly Readonly<RuleViolations>[];
}

export interface ValidationInspection {
  readonly mode: ValidationMode;
  readonly violations: readonly ParameterRule[];
  readonly isRefused: boolean;
}
