import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Log } from '../../ports.ts';
import {
  type Ledger,
  type LedgerEntry,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import {
  compareRule,
  getBrokenRules,
  type OriginVerdict,
  type RuleAgreement,
  toOutcome,
} from '../../validation/evidence/origin-verdict.ts';
import type { RequestParameters } from '../../validation/request/parameters.ts';
import {
  type InvalidRequest,
  type IsRuleIgnored,
  type ParameterRule,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/result.ts';
import {
  type FullValidation,
  listArguments,
  type OperationArgument,
} from '../../validation/request/validator.ts';
import { limitValidation } from '../../validation/wordpress/schema.ts';
import type { DocumentRequestValidators, ServedOperation } from '../snapshot/snapshot.ts';

/** Log, settings and evidence that all operations of one site share. */
export interface ObservationContext {
  readonly log: Log;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  readonly isBodyLimitDeclared: boolean;
  readonly decode: ContentDecoder;
  /** Requests that would have blocked the event loop for too long. */
  tooComplex: number;
  readonly ledger: Ledger;
  /** Reports that the evidence has changed and has to be written; `null` if it is kept in memory only. */
  readonly markEvidenceChanged: (() => void) | null;
}

/** The decision on a request, and the validation result that the origin's verdict is compared with. */
export interface RequestDecision {
  /** The error that the client receives; `null` when the request is forwarded. */
  readonly rejection: InvalidRequest | null;
  /** By all rules that are not suspended. */
  readonly result: ValidationResult;
  readonly parameters: RequestParameters | null;
}

/** One validated operation of one snapshot, with its entries of the ledger, which outlive the snapshot. */
export class OperationRules {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly #served: ServedOperation;
  readonly #validators: DocumentRequestValidators;
  readonly #context: ObservationContext;
  readonly #args: ReadonlyMap<string, OperationArgument>;
  readonly #entries = new Map<string, LedgerEntry>();

  constructor(
    served: ServedOperation,
    mode: Exclude<ValidationMode, 'off'>,
    validators: DocumentRequestValidators,
    context: ObservationContext,
  ) {
    this.mode = mode;
    this.#served = served;
    this.#validators = validators;
    this.#context = context;
    this.#args = listArguments(served.operation, validators.resolveReference);
  }

  validate(parameters: RequestParameters, isIgnored?: IsRuleIgnored): ValidationResult {
    return this.#validators.get(this.#served.operation).validate(parameters, isIgnored);
  }

  get(rule: ParameterRule): LedgerEntry {
    const name = `${rule.rule} ${rule.param}`;
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const { operation, route } = this.#served;
    const { method } = operation;
    const entry = this.#context.ledger.find({ method, route }, rule, this.#args.get(rule.param));
    this.#entries.set(name, entry);
    return entry;
  }

  /** Returns the result by the rules whose entries are trusted. */
  #validateBy(
    { result, parameters }: FullValidation,
    isTrusted: (entry: LedgerEntry) => boolean,
  ): ValidationResult {
    if (getBrokenRules(result).every((rule) => isTrusted(this.get(rule)))) return result;
    const isIgnored: IsRuleIgnored = (param, rule) => !isTrusted(this.get({ param, rule }));
    return parameters === null ? VALID_REQUEST : this.validate(parameters, isIgnored);
  }

  /** Judges a validation result by what is known about the violated rules. Counts nothing. */
  judge(validation: FullValidation): {
    /** The result without suspended rules. */
    readonly active: ValidationResult;
    /**
     * The result that decides whether the mode rejects the request. Under `enforce` one known rule is enough: the site refuses
     * what violates it, whatever it does with the rest.
     */
    readonly enforced: ValidationResult;
  } {
    const active = this.#validateBy(validation, ({ status }) => status !== 'suspended');
    if (!rejectsRequests(this.mode)) return { active, enforced: VALID_REQUEST };
    const { parameters } = validation;
    const enforced =
      this.mode === 'strict'
        ? active
        : this.#validateBy({ result: active, parameters }, ({ isKnown }) => isKnown);
    return { active, enforced };
  }

  /** Counts a request and decides whether it is rejected. The caller counts the rejection itself. */
  decide(validation: FullValidation): RequestDecision {
    const { parameters } = validation;
    if (validation.result.kind === 'valid') return { rejection: null, result: VALID_REQUEST, parameters };
    const { active, enforced } = this.judge(validation);
    const broken = getBrokenRules(enforced).map((rule) => this.get(rule));
    // Each entry counts, so `some` would be wrong.
    const isSampled = broken.filter((entry) => entry.countRefusal()).length > 0;
    const isRejected = active.kind === 'invalid' && enforced.kind === 'invalid' && !isSampled;
    if (!isRejected) return { rejection: null, result: active, parameters };
    // In `strict` a refusal says whether the site is known to refuse such requests too, or only the document forbids them.
    const basis = broken.some(({ isKnown }) => isKnown) ? 'known' : 'documented';
    const data = this.mode === 'strict' ? { ...active.data, basis } : active.data;
    return { rejection: { ...active, data }, result: active, parameters };
  }

  countRejection(): void {
    this.#context.ledger.outcomes.not_forwarded += 1;
  }

  /** Compares a decision with the origin's verdict, counts the outcome, and logs what changes. */
  record({ parameters, result }: RequestDecision, verdict: OriginVerdict): void {
    // Most responses.
    if (result.kind === 'valid' && verdict.kind === 'accepted') {
      this.#context.ledger.outcomes.accepted += 1;
      return;
    }
    const broken = getBrokenRules(result);
    const agreements = broken.map((rule) => this.#learn(rule, compareRule(rule, verdict)));
    this.#context.ledger.outcomes[toOutcome(verdict, agreements)] += 1;
    if (verdict.kind !== 'refused' || parameters === null) return;
    // A rule that the site does not have can end validation here before the one that the site refused the request by.
    const known = new Set(broken.map(({ param }) => param));
    const isIgnored: IsRuleIgnored = (param) => known.has(param) || !verdict.params.includes(param);
    const listed = limitValidation(
      () => this.validate(parameters, isIgnored),
      () => VALID_REQUEST,
    );
    for (const rule of getBrokenRules(listed)) {
      this.#learn(rule, compareRule(rule, verdict));
    }
  }

  #learn(rule: ParameterRule, agreement: RuleAgreement): RuleAgreement {
    const { log, markEvidenceChanged } = this.#context;
    const { operation, route } = this.#served;
    if (this.get(rule).learn(agreement)) {
      log.warn(
        {
          operation: operation.id,
          method: operation.method,
          route: route.pattern,
          param: rule.param,
          rule: rule.rule,
        },
        'the site accepted a request that violates this rule: the rule is suspended for all arguments of the namespace with the same definition',
      );
    }
    if (agreement !== 'undecided') markEvidenceChanged?.();
    return agreement;
  }
}
