import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { Clock, Log } from '../../ports.ts';
import { describeShape } from '../../validation/evidence/argument-definition.ts';
import {
  canEnforce,
  hasAgreementStreak,
  isEnforcedRule,
  isRetestDue,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import {
  type Evidence,
  getRuleStats,
  type OperationKey,
  type OperationStats,
  recordComparison,
  toRuleKey,
} from '../../validation/evidence/evidence.ts';
import {
  compareWithOrigin,
  getBrokenRules,
  type OriginResponseSummary,
  type OriginVerdict,
} from '../../validation/evidence/origin-verdict.ts';
import { type RuleKnowledge, RuleStatusLookup } from '../../validation/evidence/rule-knowledge.ts';
import { getSeenError, type RequestText, readSeenError } from '../../validation/evidence/seen-errors.ts';
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

/** Log, settings and evidence that all observed operations of one site share. */
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
  readonly evidence: Evidence;
  readonly knowledge: RuleKnowledge;
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

/** One validated operation of one snapshot, with its stats, which outlive the snapshot. */
export class ObservedOperation implements OperationKey {
  readonly method: string;
  readonly route: string;
  /** `operationId`, for the log. */
  readonly operationId: string;
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly stats: OperationStats;
  /** What is known about the rules, also by evidence of other operations. */
  readonly lookup: RuleStatusLookup;
  readonly #operation: Operation;
  readonly #validators: DocumentRequestValidators;
  readonly #context: ObservationContext;

  /** @param calibrated evidence of the last calibration */
  constructor(
    { operation, route }: { readonly operation: Operation; readonly route: ServedRoute },
    mode: Exclude<ValidationMode, 'off'>,
    validators: DocumentRequestValidators,
    calibrated: Evidence,
    context: ObservationContext,
  ) {
    this.method = operation.method;
    this.route = route.pattern;
    this.operationId = operation.id;
    this.mode = mode;
    this.stats = context.evidence.getStats(this);
    const allStats = [this.stats, calibrated.getStats(this)];
    const { resolveReference } = validators;
    this.lookup = new RuleStatusLookup(operation, route, context.knowledge, allStats, resolveReference);
    this.#operation = operation;
    this.#validators = validators;
    this.#context = context;
  }

  validate(parameters: RequestParameters, isSuspended?: IsRuleSuspended): ValidationResult {
    return this.#validators.get(this.#operation).validate(parameters, isSuspended);
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
      this.lookup.getStatus({ param, rule }) === 'suspended';
    const suspended = getBrokenRules(result).filter(({ param, rule }) => isSuspended(param, rule));
    let active: ValidationResult = result;
    if (suspended.length > 0)
      active = parameters === null ? VALID_REQUEST : this.validate(parameters, isSuspended);
    const brokenRules = getBrokenRules(active);
    // One rule that may not hold at the site is enough to forward the request: its response then decides about the rule.
    const isEnforceable =
      active.kind === 'invalid' &&
      brokenRules.every((rule) => isEnforcedRule(this.mode, this.lookup.getStatus(rule))) &&
      canEnforce(this.stats, brokenRules, this.#context.afterAgreement);
    return { active, suspended, brokenRules, isEnforceable };
  }

  /** Counts a request and decides whether it is rejected. The caller counts the rejection itself. */
  decide(validation: FullValidation): RequestDecision {
    const { parameters, result } = validation;
    this.stats.validated += 1;
    this.#context.markEvidenceChanged?.();
    if (result.kind === 'valid') return { rejection: null, result, parameters };
    const { active, brokenRules, isEnforceable, suspended } = this.judge(validation);
    if (active.kind === 'valid') return { rejection: null, result, parameters };
    this.stats.wouldRefuse += 1;
    const isRejected = isEnforceable && !this.#countRefusals(brokenRules);
    return {
      rejection: isRejected ? active : null,
      // Suspended rules are compared too, so that their stats show further agreement and disagreement.
      result: suspended.length === 0 ? result : { ...active, brokenRules: [...suspended, ...brokenRules] },
      parameters,
    };
  }

  /** Counts a refusal for each rule. Returns whether one has reached a count at which the origin decides. */
  #countRefusals(brokenRules: readonly ParameterRule[]): boolean {
    let isDue = false;
    for (const rule of brokenRules) {
      const ruleStats = getRuleStats(this.stats, rule, this.#getFingerprint);
      if (ruleStats === undefined) continue;
      ruleStats.refused += 1;
      isDue ||= isRetestDue(ruleStats.refused, this.lookup.isUntested(rule));
    }
    return isDue;
  }

  readonly #getFingerprint = (param: string): string => this.lookup.getDefinition(param).fingerprint;

  /**
   * Compares a decision with the origin's verdict, counts the outcome and the error of the response, and logs changes of the
   * enforcement state.
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
    const { afterAgreement, knowledge, log, markEvidenceChanged } = this.#context;
    const { method, mode, operationId: operation, route, stats } = this;
    const wasPromoted = this.#isPromoted;
    const comparison = compareWithOrigin(result, verdict);
    const newlySuspended = recordComparison(stats, comparison, {
      status,
      describeValue: (param) => describeValue(parameters, param),
      getFingerprint: this.#getFingerprint,
    });
    if (status >= 400) this.#countError(response, getSentText);
    markEvidenceChanged?.();
    for (const { rule } of comparison.rules) {
      const ruleStats = stats.rules.get(toRuleKey(rule));
      if (ruleStats !== undefined) knowledge.learn(this.lookup.getDefinition(rule.param), ruleStats);
    }
    if (newlySuspended.length === 0 && wasPromoted === this.#isPromoted) return;
    const logFields = { operation, method, route };
    for (const { param, rule, examples } of newlySuspended) {
      log.warn(
        { ...logFields, param, rule, example: examples.at(-1) },
        'the site accepted a request that violates this rule: the rule is suspended for all arguments of the namespace with the same definition',
      );
    }
    if (!rejectsRequests(mode) || wasPromoted === this.#isPromoted) return;
    if (wasPromoted) {
      log.warn(
        logFields,
        'the site disagreed with a validation result: the operation is only observed again',
      );
    } else {
      log.info({ ...logFields, afterAgreement }, 'the site agreed often enough: the operation is enforced');
    }
  }

  /** Whether the site has agreed often enough for the enforcement, if that is required. */
  get #isPromoted(): boolean {
    const { afterAgreement } = this.#context;
    return afterAgreement !== undefined && hasAgreementStreak(this.stats, afterAgreement);
  }

  #countError(response: OriginResponseSummary, getSentText: () => string | null): void {
    const getText = (): RequestText => ({
      sent: getSentText(),
      stated: [this.route, ...this.lookup.listNames()].join(' '),
    });
    const seen = readSeenError(response, getText);
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
  /** Since they were last taken. */
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

  count(operation: OperationKey & { readonly operationId: string }, isRefused: boolean): void {
    this.total += 1;
    const now = this.#clock.now();
    if (now - this.#loggedAt < LOG_INTERVAL) return;
    this.#loggedAt = now;
    const { operationId, method, route } = operation;
    this.#log.warn(
      { operation: operationId, method, route, total: this.total },
      isRefused
        ? 'a request is too complex to be validated: it is refused'
        : 'a request is too complex to be validated: it is forwarded without validation',
    );
  }
}
