import type { RouteValidationMode } from '../../config/option-types.ts';
import { RouteSelector } from '../../discovery/route-selection.ts';
import { createLru } from '../../memoize.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import { isBatchOperation } from '../../validation/request/batch.ts';
import { isCoreRule } from '../../validation/request/core-rules.ts';
import {
  DEFAULT_BODY_LIMIT,
  NO_BODY_PARAMETERS,
  type RequestParameters,
} from '../../validation/request/parameters.ts';
import {
  type InvalidRequest,
  listBrokenRules,
  type ParameterRule,
  type ValidationMode,
} from '../../validation/request/result.ts';
import {
  type FullValidation,
  listArguments,
  type OperationArgument,
} from '../../validation/request/validator.ts';
import type { SiteOptions } from '../options/site-options.ts';
import type { DocumentRequestValidators, ServedOperation, Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import { type IncomingRequest, parseParameters, RequestValidation } from './request-validation.ts';

/** The validation of one site's requests. Its counts outlive the snapshots. */
export class SiteValidation {
  /** Mode of operations without a mode of their own. */
  readonly mode: ValidationMode;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  readonly isBodyLimitDeclared: boolean;
  /** Validated requests since the start. `too_complex`: validation would have blocked the event loop for too long. */
  readonly counts = { valid: 0, forwarded: 0, refused: 0, too_complex: 0 };
  readonly log: Log;
  readonly #violations = createLru<RuleViolations>(MAX_VIOLATED_RULES);
  readonly #resolveMode: ReturnType<typeof createModeResolver>;
  readonly #trusted: ReadonlySet<string>;
  /** Whether requests to routes that the document does not declare are rejected, also within a batch. */
  readonly #rejectsUnknownRoutes: boolean;
  readonly #validatesBatches: boolean;
  readonly #rules = new WeakMap<Operation, OperationRules | null>();

  constructor({ unknownRoutes, validation = {} }: SiteOptions, log: Log) {
    const { bodyLimit, mode = 'off', routes = [], trust = [] } = validation;
    this.mode = mode;
    this.bodyLimit = bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.isBodyLimitDeclared = bodyLimit !== undefined;
    this.log = log;
    this.#resolveMode = createModeResolver(mode, routes);
    this.#trusted = new Set(trust);
    this.#rejectsUnknownRoutes = unknownRoutes === 'refuse';
    const modes = [mode, ...routes.map((each) => each.mode)];
    this.#validatesBatches = this.#rejectsUnknownRoutes || modes.some(isOn);
  }

  /** Creates the validation of a request to the REST interface; `null` when the request is not validated. */
  createRequestValidation(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    const { match, target } = request.resolved;
    // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
    if (target.method === 'OPTIONS' || match.kind !== 'found') return null;
    const rules = this.#getRules(snapshot, match);
    if (target.method !== 'POST' || !isBatchOperation(match.operation)) {
      return rules && new RequestValidation(rules, this, request);
    }
    if (snapshot.requestValidators === null || !this.#validatesBatches) return null;
    const batch = {
      batchOperation: match.operation,
      matcher: snapshot.matcher,
      getRules: (found: OperationMatch) => this.#getRules(snapshot, found),
      rejectsUnknownRoutes: this.#rejectsUnknownRoutes,
    };
    return new BatchValidation(rules, batch, this, request);
  }

  /**
   * Returns the rules of the operation that a request matches; `null` when its requests are not validated: the mode is `off`, or
   * another route can run instead.
   */
  #getRules({ requestValidators }: Snapshot, match: OperationMatch): OperationRules | null {
    if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
    const { operation, route } = match;
    const known = this.#rules.get(operation);
    if (known !== undefined) return known;
    const mode = this.#resolveMode(route, operation.method);
    const isTrusted = this.#trusted.has(route.namespace);
    const created = isOn(mode) ? new OperationRules(match, mode, isTrusted, requestValidators) : null;
    this.#rules.set(operation, created);
    return created;
  }

  /** Counts a validated request, and the rules that it violates. */
  count(rules: OperationRules, { result }: FullValidation, isRefused: boolean): void {
    if (result.kind === 'valid') {
      this.counts.valid += 1;
      return;
    }
    this.counts[isRefused ? 'refused' : 'forwarded'] += 1;
    const { method, path } = rules.operation;
    for (const { param, rule } of listBrokenRules(result)) {
      const key = `${method} ${path} ${rule} ${param}`;
      const violated = this.#violations.get(key) ?? {
        ...{ method, path, param, rule },
        isEnforced: rules.isEnforced({ param, rule }),
        requests: 0,
      };
      violated.requests += 1;
      this.#violations.set(key, violated);
    }
  }

  /**
   * Tells whether a read is valid, and what the gateway does if it is not, without counting it. `null` if the document does
   * not declare its operation, or if its parameters cannot be parsed as the site does.
   */
  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null {
    const { match } = request.resolved;
    const { requestValidators } = snapshot;
    const parameters = parseParameters(request, NO_BODY_PARAMETERS);
    if (match.kind !== 'found' || requestValidators === null || parameters === null) return null;
    // In mode `off` there are none: the document alone decides.
    const rules = this.#getRules(snapshot, match);
    const result = requestValidators.get(match.operation).validate(parameters);
    return {
      mode: rules?.mode ?? 'off',
      parameters,
      violations: listBrokenRules(result),
      isRefused: (rules?.findRefusal({ result, parameters }) ?? null) !== null,
    };
  }

  /** Creates the report of `GET /-/sites/<name>/validation`. */
  createReport(): SiteValidationReport {
    const rules = Array.from(this.#violations.values(), (violated) => ({ ...violated }));
    return {
      mode: this.mode,
      requests: { ...this.counts },
      rules: rules.sort((one, other) => other.requests - one.requests),
    };
  }
}

/** One validated operation of one snapshot. */
export class OperationRules {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly operation: Operation;
  readonly #route: ServedRoute;
  readonly #isTrusted: boolean;
  readonly #validators: DocumentRequestValidators;
  readonly #args: ReadonlyMap<string, OperationArgument>;
  readonly #enforced = new Map<string, boolean>();

  constructor(
    { operation, route }: ServedOperation,
    mode: Exclude<ValidationMode, 'off'>,
    isTrusted: boolean,
    validators: DocumentRequestValidators,
  ) {
    this.mode = mode;
    this.operation = operation;
    this.#route = route;
    this.#isTrusted = isTrusted;
    this.#validators = validators;
    this.#args = listArguments(operation, validators.resolveReference);
  }

  validate(parameters: RequestParameters): FullValidation {
    return { result: this.#validators.get(this.operation).validate(parameters), parameters };
  }

  /** Whether `enforce` refuses requests by a rule. */
  isEnforced(rule: ParameterRule): boolean {
    const name = `${rule.rule} ${rule.param}`;
    const known = this.#enforced.get(name);
    if (known !== undefined) return known;
    const { method } = this.operation;
    const operation = { method, route: this.#route.pattern };
    const isEnforced = this.#isTrusted || isCoreRule(operation, rule, this.#args.get(rule.param));
    this.#enforced.set(name, isEnforced);
    return isEnforced;
  }

  /**
   * Returns the error by which the mode refuses a request; `null` if the request is forwarded. Under `enforce` one rule of the
   * site is enough: the site refuses what violates it, whatever it does with the rest.
   */
  findRefusal({ result, parameters }: FullValidation): InvalidRequest | null {
    if (result.kind === 'valid' || this.mode === 'observe') return null;
    const broken = listBrokenRules(result);
    if (this.mode === 'strict' || broken.some((rule) => this.isEnforced(rule))) return result;
    if (parameters === null) return null;
    // A rule that the site does not have can end validation before one that it has.
    const isIgnored = (param: string, rule: string): boolean => !this.isEnforced({ param, rule });
    const enforced = this.#validators.get(this.operation).validate(parameters, isIgnored);
    return enforced.kind === 'invalid' ? enforced : null;
  }
}

/** Creates the function that finds the mode of an operation. The first entry that matches it decides. */
export function createModeResolver(
  mode: ValidationMode,
  routes: readonly RouteValidationMode[],
): (route: Pick<ServedRoute, 'namespace' | 'pattern'>, method: string) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    methods: entry.methods?.map((name) => name.toUpperCase()),
    selector: new RouteSelector({ include: [entry.match] }),
  }));
  return ({ namespace, pattern }, method) => {
    const entry = entries.find(
      ({ methods, selector }) =>
        (methods === undefined || methods.includes(method)) && selector.matches(pattern, namespace),
    );
    return entry?.mode ?? mode;
  };
}

function isOn(mode: ValidationMode): mode is Exclude<ValidationMode, 'off'> {
  return mode !== 'off';
}

/** Rules that are counted. Those violated longest ago are forgotten. */
const MAX_VIOLATED_RULES = 1_000;

/** The validation of one site's requests, as `GET /-/sites/<name>/validation` returns it. */
export interface SiteValidationReport {
  readonly mode: ValidationMode;
  /** Validated requests since the start, by outcome. */
  readonly requests: SiteValidation['counts'];
  /** The rules that requests violated; those violated most often first. */
  readonly rules: readonly Readonly<RuleViolations>[];
}

/** How often requests violated a rule. `param` is empty for a rule of the request as a whole. */
interface RuleViolations extends ParameterRule {
  readonly method: string;
  /** Path template in the document. */
  readonly path: string;
  /** Whether mode `enforce` refuses requests by this rule. */
  readonly isEnforced: boolean;
  requests: number;
}

/** Whether a read is valid, and what the gateway does if it is not. */
export interface ValidationInspection {
  readonly mode: ValidationMode;
  /** The parameters, as the site parses them. */
  readonly parameters: RequestParameters;
  /** Rules that the request violates; empty if it is valid. */
  readonly violations: readonly ParameterRule[];
  readonly isRefused: boolean;
}
