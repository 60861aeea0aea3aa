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

  /** Under `enforce` one rule of the site is enough: the site refuses what violates it. */
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

export class ValidationContext {
  readonly log: Log;
  readonly bodyLimit: number;
  readonly isBodyLimitDeclared: boolean;
  /** `too_complex`: validation would have blocked the event loop for too long. */
  readonly counts = { valid: 0, forwarded: 0, refused: 0, too_complex: 0 };
  readonly #violations = createLru<RuleViolations>(MAX_VIOLATED_RULES);

  constructor(log: Log, bodyLimit: number | undefined) {
    this.log = log;
    this.bodyLimit = bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.isBodyLimitDeclared = bodyLimit !== undefined;
  }

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

  listViolations(): readonly Readonly<RuleViolations>[] {
    const rules = Array.from(this.#violations.values(), (violated) => ({ ...violated }));
    return rules.sort((one, other) => other.requests - one.requests);
  }
}

const MAX_VIOLATED_RULES = 1_000;

/** `param` is empty for a rule of the request as a whole. */
export interface RuleViolations extends ParameterRule {
  readonly method: string;
  readonly path: string;
  readonly isEnforced: boolean;
  requests: number;
}
