import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Log } from '../../ports.ts';
import { describeShape } from '../../validation/evidence/argument-definition.ts';
import {
  type DeclaredOperation,
  isEnforced,
  isKnown,
  type Ledger,
  type LedgerEntry,
  OperationEntries,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import {
  compareWithOrigin,
  getBrokenRules,
  type OriginResponseSummary,
  type OriginVerdict,
} from '../../validation/evidence/origin-verdict.ts';
import type { RequestParameters } from '../../validation/request/parameters.ts';
import {
  type InvalidRequest,
  type IsRuleSuspended,
  type ParameterRule,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import type { DocumentRequestValidators } from '../snapshot/snapshot.ts';

/** Log, settings and evidence that all operations of one site share. */
export interface ObservationContext {
  readonly log: Log;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  readonly isBodyLimitStated: boolean;
  readonly decode: ContentDecoder;
  readonly tooComplexRequests: TooComplexRequests;
  readonly ledger: Ledger;
  /** Reports that the evidence has changed and has to be written; `null` if it is kept in memory only. */
  readonly markEvidenceChanged: (() => void) | null;
}

/** The decision on a request, and the validation result that the origin's verdict is compared with. */
export interface RequestDecision extends FullValidation {
  /** The error that the client receives; `null` when the request is forwarded. */
  readonly rejection: InvalidRequest | null;
}

/** One validated operation of one snapshot, with its entries of the ledger, which outlive the snapshot. */
export class OperationRules extends OperationEntries {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly #declared: DeclaredOperation;
  readonly #validators: DocumentRequestValidators;
  readonly #context: ObservationContext;

  constructor(
    declared: DeclaredOperation,
    mode: Exclude<ValidationMode, 'off'>,
    validators: DocumentRequestValidators,
    context: ObservationContext,
  ) {
    super(context.ledger, declared, validators.resolveReference);
    this.mode = mode;
    this.#declared = declared;
    this.#validators = validators;
    this.#context = context;
  }

  validate(parameters: RequestParameters, isSuspended?: IsRuleSuspended): ValidationResult {
    return this.#validators.get(this.#declared.operation).validate(parameters, isSuspended);
  }

  /** Judges a validation result by what is known about the violated rules. Counts nothing. */
  judge({ result, parameters }: FullValidation): {
    /** The result without suspended rules. */
    readonly active: ValidationResult;
    readonly suspended: readonly ParameterRule[];
    /** Violated rules that are not suspended. */
    readonly broken: readonly LedgerEntry[];
    /** Whether the mode and the evidence allow a rejection by these rules. */
    readonly isEnforceable: boolean;
  } {
    const isSuspended: IsRuleSuspended = (param, rule) => this.get({ param, rule }).status === 'suspended';
    const suspended = getBrokenRules(result).filter(({ param, rule }) => isSuspended(param, rule));
    let active: ValidationResult = result;
    if (suspended.length > 0)
      active = parameters === null ? VALID_REQUEST : this.validate(parameters, isSuspended);
    const broken = getBrokenRules(active).map((rule) => this.get(rule));
    const isEnforceable = active.kind === 'invalid' && isEnforced(this.mode, broken);
    return { active, suspended, broken, isEnforceable };
  }

  /** Counts a request and decides whether it is rejected. The caller counts the rejection itself. */
  decide(validation: FullValidation): RequestDecision {
    const { parameters, result } = validation;
    const { counts } = this.stats;
    counts.validated += 1;
    this.#context.markEvidenceChanged?.();
    if (result.kind === 'valid') return { rejection: null, result, parameters };
    const { active, broken, isEnforceable, suspended } = this.judge(validation);
    if (active.kind === 'valid') return { rejection: null, result, parameters };
    counts.wouldRefuse += 1;
    // Each entry counts, so `some` would be wrong.
    const sampled = isEnforceable ? broken.filter((entry) => entry.countRefusal()) : [];
    return {
      rejection: isEnforceable && sampled.length === 0 ? this.#withBasis(active, broken) : null,
      // Suspended rules are compared too, so that their counts show further agreement and disagreement.
      result:
        suspended.length === 0
          ? result
          : { ...active, brokenRules: [...suspended, ...getBrokenRules(active)] },
      parameters,
    };
  }

  /** In `strict` a refusal says whether the site is known to refuse such requests too, or only the document forbids them. */
  #withBasis(refusal: InvalidRequest, broken: readonly LedgerEntry[]): InvalidRequest {
    if (this.mode !== 'strict') return refusal;
    const basis = broken.every(({ status }) => isKnown(status)) ? 'known' : 'documented';
    return { ...refusal, data: { ...refusal.data, basis } };
  }

  /** Compares a decision with the origin's verdict, counts the outcome, and logs what changes. */
  record(
    { result, parameters }: RequestDecision,
    verdict: OriginVerdict,
    { status }: Pick<OriginResponseSummary, 'status'>,
  ): void {
    this.#context.markEvidenceChanged?.();
    // Most responses.
    if (result.kind === 'valid' && verdict.kind === 'accepted') this.stats.counts.accepted += 1;
    else {
      const toExample = (param: string) => ({ value: describeValue(parameters, param), status });
      this.#logSuspended(this.count(compareWithOrigin(result, verdict), verdict, toExample));
    }
  }

  #logSuspended(entries: readonly LedgerEntry[]): void {
    const { operation, route } = this.#declared;
    const of = { operation: operation.id, method: operation.method, route: route.pattern };
    for (const { examples, key } of entries) {
      const { param, rule } = key;
      this.#context.log.warn(
        { ...of, param, rule, example: examples.at(-1) },
        'the site accepted a request that violates this rule: the rule is suspended for all arguments of the namespace with the same definition',
      );
    }
  }
}

/** Describes the shape of a parameter's value, never the value itself. */
function describeValue(parameters: RequestParameters | null, param: string): string {
  if (parameters === null) return 'unread';
  const { json, form, query, path } = parameters;
  return describeShape(json.get(param) ?? form.get(param) ?? query.get(param) ?? path.get(param));
}

/** Counts requests that would block the event loop for too long if they were validated. */
export class TooComplexRequests {
  total = 0;
  readonly #log: Log;
  #counted = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param operation its `operationId` */
  count(operation: string, isRefused: boolean): void {
    this.total += 1;
    this.#counted += 1;
    // The metrics have the number.
    if (this.#counted % 1000 !== 1) return;
    this.#log.warn(
      { operation, total: this.#counted },
      `a request is too complex to be validated: it is ${isRefused ? 'refused' : 'forwarded without validation'}`,
    );
  }
}
