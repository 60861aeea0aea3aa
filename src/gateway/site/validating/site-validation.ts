import { getOrCreate } from '../../../base/memoize.ts';
import type { Log } from '../../../base/ports.ts';
import type { Operation } from '../../../generator/openapi/index.ts';
import type { OperationMatch } from '../../../generator/openapi/matcher.ts';
import { NO_BODY_PARAMETERS } from '../../../generator/validation/request/parameters.ts';
import {
  listBrokenRules,
  type ParameterRule,
  type ValidationMode,
} from '../../../generator/validation/request/result.ts';
import type { SiteOptions } from '../options/gateway-options.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  type IncomingRequest,
  OperationRules,
  parseParameters,
  RequestValidation,
  type RuleViolations,
  ValidationContext,
} from './request-validation.ts';

/** Its counts outlive the snapshots. */
export class SiteValidation {
  readonly mode: ValidationMode;
  readonly context: ValidationContext;
  readonly #trusted: ReadonlySet<string>;
  readonly #rules = new WeakMap<Operation, OperationRules>();

  constructor({ validation = {} }: SiteOptions, log: Log) {
    const { bodyLimit, mode = 'off', trust = [] } = validation;
    this.mode = mode;
    this.context = new ValidationContext(log, bodyLimit);
    this.#trusted = new Set(trust);
  }

  createRequestValidation(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    const { match, target } = request.resolved;
    // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
    if (target.method === 'OPTIONS' || match.kind !== 'found') return null;
    const rules = this.#getRules(snapshot, match);
    return rules && new RequestValidation(rules, this.context, request);
  }

  /** `null` in mode `off`, or if another route can run instead. */
  #getRules({ requestValidators }: Snapshot, match: OperationMatch): OperationRules | null {
    const { mode } = this;
    if (mode === 'off' || match.kind !== 'found' || !match.isCertain || requestValidators === null)
      return null;
    const isTrusted = this.#trusted.has(match.route.namespace);
    return getOrCreate(
      this.#rules,
      match.operation,
      () => new OperationRules(match, mode, isTrusted, requestValidators),
    );
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
