import { createLru } from '../../memoize.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import { isCoreRule } from '../../validation/request/core-rules.ts';
import { DEFAULT_BODY_LIMIT, type RequestParameters } from '../../validation/request/parameters.ts';
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
import type { DocumentRequestValidators, ServedOperation } from '../snapshot/snapshot.ts';

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

/** Settings and counts that the requests of one site share. */
export class ValidationContext {
  readonly log: Log;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  readonly isBodyLimitDeclared: boolean;
  /** Validated requests since the start. `too_complex`: validation would have blocked the event loop for too long. */
  readonly counts = { valid: 0, forwarded: 0, refused: 0, too_complex: 0 };
  readonly #violations = createLru<RuleViolations>(MAX_VIOLATED_RULES);

  constructor(log: Log, bodyLimit: number | undefined) {
    this.log = log;
    this.bodyLimit = bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.isBodyLimitDeclared = bodyLimit !== undefined;
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

  /** Lists the violated rules; those violated most often first. */
  listViolations(): readonly Readonly<RuleViolations>[] {
    const rules = Array.from(this.#violations.values(), (violated) => ({ ...violated }));
    return rules.sort((one, other) => other.requests - one.requests);
  }
}

/** Rules that are counted. Those violated longest ago are forgotten. */
const MAX_VIOLATED_RULES = 1_000;

/** How often requests violated a rule. `param` is empty for a rule of the request as a whole. */
export interface RuleViolations extends ParameterRule {
  readonly method: string;
  /** Path template in the document. */
  readonly path: string;
  /** Whether mode `enforce` refuses requests by this rule. */
  readonly isEnforced: boolean;
  requests: number;
}
