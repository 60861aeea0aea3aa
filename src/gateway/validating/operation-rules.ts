import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Clock, Log } from '../../ports.ts';
import { describeShape } from '../../validation/evidence/argument-definition.ts';
import {
  type DeclaredOperation,
  isEnforced,
  isReady,
  type Ledger,
  type LedgerEntry,
  OperationEntries,
  type OperationStats,
  recordComparison,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import {
  compareWithOrigin,
  getBrokenRules,
  type OriginResponseSummary,
  type OriginVerdict,
} from '../../validation/evidence/origin-verdict.ts';
import { getSeenError, readSeenError } from '../../validation/evidence/seen-errors.ts';
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
  /** Agreements in a row that enforcement of an operation requires; `undefined` requires none. */
  readonly afterAgreement: number | undefined;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  readonly isBodyLimitStated: boolean;
  /** Removes the content coding of the origin's responses. */
  readonly decode: ContentDecoder;
  readonly tooComplexRequests: TooComplexRequests;
  readonly ledger: Ledger;
  /** Reports that the evidence has changed and has to be written; `null` if it is kept in memory only. */
  readonly markEvidenceChanged: (() => void) | null;
}

/** The decision on a request, and the validation result that the origin's verdict is compared with. */
export interface RequestDecision {
  /** The error that the client receives; `null` when the request is forwarded. */
  readonly rejection: InvalidRequest | null;
  readonly result: ValidationResult;
  readonly parameters: RequestParameters | null;
}

/** One validated operation of one snapshot, with its entries of the ledger, which outlive the snapshot. */
export class OperationRules {
  /** `operationId`, for the log. */
  readonly operationId: string;
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly stats: OperationStats;
  readonly entries: OperationEntries;
  readonly #declared: DeclaredOperation;
  readonly #validators: DocumentRequestValidators;
  readonly #context: ObservationContext;

  constructor(
    declared: DeclaredOperation,
    mode: Exclude<ValidationMode, 'off'>,
    validators: DocumentRequestValidators,
    context: ObservationContext,
  ) {
    this.operationId = declared.operation.id;
    this.mode = mode;
    this.entries = new OperationEntries(context.ledger, declared, validators.resolveReference);
    this.stats = context.ledger.getOperation(this.entries.name);
    this.#declared = declared;
    this.#validators = validators;
    this.#context = context;
  }

  validate(parameters: RequestParameters, isSuspended?: IsRuleSuspended): ValidationResult {
    return this.#validators.get(this.#declared.operation).validate(parameters, isSuspended);
  }

  /** Whether requests are refused, once the site has agreed often enough. */
  get refuses(): boolean {
    return isEnforced(this.mode, this.stats, [], this.#context.afterAgreement);
  }

  /** Judges a validation result by what is known about the violated rules. Counts nothing. */
  judge({ result, parameters }: FullValidation): {
    /** The result without suspended rules. */
    readonly active: ValidationResult;
    readonly suspended: readonly ParameterRule[];
    /** Violated rules that are not suspended. */
    readonly brokenRules: readonly ParameterRule[];
    /** Whether the mode and the evidence allow a rejection by these rules. */
    readonly isEnforceable: boolean;
  } {
    const isSuspended: IsRuleSuspended = (param, rule) =>
      this.entries.get({ param, rule }).status === 'suspended';
    const suspended = getBrokenRules(result).filter(({ param, rule }) => isSuspended(param, rule));
    let active: ValidationResult = result;
    if (suspended.length > 0)
      active = parameters === null ? VALID_REQUEST : this.validate(parameters, isSuspended);
    const brokenRules = getBrokenRules(active);
    const isEnforceable =
      active.kind === 'invalid' &&
      isEnforced(this.mode, this.stats, this.#list(brokenRules), this.#context.afterAgreement);
    return { active, suspended, brokenRules, isEnforceable };
  }

  #list(rules: readonly ParameterRule[]): readonly LedgerEntry[] {
    return rules.map((rule) => this.entries.get(rule));
  }

  /** Counts a request and decides whether it is rejected. The caller counts the rejection itself. */
  decide(validation: FullValidation): RequestDecision {
    const { parameters, result } = validation;
    const { counts } = this.stats;
    counts.validated += 1;
    this.#context.markEvidenceChanged?.();
    if (result.kind === 'valid') return { rejection: null, result, parameters };
    const { active, brokenRules, isEnforceable, suspended } = this.judge(validation);
    if (active.kind === 'valid') return { rejection: null, result, parameters };
    counts.wouldRefuse += 1;
    const refusals = isEnforceable ? this.#list(brokenRules) : [];
    // Each entry counts, so `some` would be wrong.
    const sampled = refusals.filter((entry) => entry.countRefusal());
    return {
      rejection: isEnforceable && sampled.length === 0 ? active : null,
      // Suspended rules are compared too, so that their counts show further agreement and disagreement.
      result: suspended.length === 0 ? result : { ...active, brokenRules: [...suspended, ...brokenRules] },
      parameters,
    };
  }

  /**
   * Compares a decision with the origin's verdict, counts the outcome and the error of the response, and logs what changes.
   *
   * @param getSentText what the client sent; `null` if a part of it is not known
   */
  record(
    { result, parameters }: RequestDecision,
    verdict: OriginVerdict,
    response: OriginResponseSummary,
    getSentText: () => string | null,
  ): void {
    const { status } = response;
    const { afterAgreement, markEvidenceChanged } = this.#context;
    const { counts } = this.stats;
    const wasReady = afterAgreement !== undefined && counts.streak >= afterAgreement;
    markEvidenceChanged?.();
    if (result.kind === 'valid' && verdict.kind === 'accepted') {
      // Most responses.
      counts.accepted += 1;
      counts.streak += 1;
    } else {
      const comparison = compareWithOrigin(result, verdict);
      const toExample = (param: string) => ({ value: describeValue(parameters, param), status });
      this.#logSuspended(recordComparison(this.stats, this.entries, comparison, toExample));
    }
    if (status >= 400) this.#countError(response, getSentText);
    if (afterAgreement !== undefined) this.#logReadiness(wasReady, afterAgreement);
  }

  #logSuspended(entries: readonly LedgerEntry[]): void {
    for (const { examples, key } of entries) {
      const { param, rule } = key;
      this.#context.log.warn(
        { ...this.#logFields, param, rule, example: examples.at(-1) },
        'the site accepted a request that violates this rule: the rule is suspended for all arguments of the namespace with the same definition',
      );
    }
  }

  #logReadiness(wasReady: boolean, afterAgreement: number): void {
    const { log } = this.#context;
    if (!rejectsRequests(this.mode) || wasReady === isReady(this.stats, afterAgreement)) return;
    if (wasReady) {
      log.warn(
        this.#logFields,
        'the site disagreed with a validation result: the operation is only observed again',
      );
    } else {
      const fields = { ...this.#logFields, afterAgreement };
      log.info(fields, 'the site agreed often enough: the operation is enforced');
    }
  }

  get #logFields(): object {
    const { operation, route } = this.#declared;
    return { operation: operation.id, method: operation.method, route: route.pattern };
  }

  #countError(response: OriginResponseSummary, getSentText: () => string | null): void {
    const seen = readSeenError(response, () => ({
      sent: getSentText(),
      stated: [this.#declared.route.pattern, ...this.entries.args.keys()].join(' '),
    }));
    const error = seen === null ? undefined : getSeenError(this.stats.errors, seen);
    if (error !== undefined) error.count += 1;
  }
}

/** Describes the shape of a parameter's value, never the value itself. */
function describeValue(parameters: RequestParameters | null, param: string): string {
  if (parameters === null) return 'unread';
  const { json, form, query, path } = parameters;
  return describeShape(json.get(param) ?? form.get(param) ?? query.get(param) ?? path.get(param));
}

/** Milliseconds between two lines in the log. */
const LOG_INTERVAL = 60_000;

/** Counts requests that would block the event loop for too long if they were validated. */
export class TooComplexRequests {
  total = 0;
  readonly #log: Log;
  readonly #clock: Clock;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Returns the number since the last call. */
  take(): number {
    const taken = this.total;
    this.total = 0;
    return taken;
  }

  /** @param operation its `operationId` */
  count(operation: string, isRefused: boolean): void {
    this.total += 1;
    const now = this.#clock.now();
    if (now - this.#loggedAt < LOG_INTERVAL) return;
    this.#loggedAt = now;
    this.#log.warn(
      { operation, total: this.total },
      isRefused
        ? 'a request is too complex to be validated: it is refused'
        : 'a request is too complex to be validated: it is forwarded without validation',
    );
  }
}
