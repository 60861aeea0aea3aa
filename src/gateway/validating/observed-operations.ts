import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Json } from '../../json.ts';
import type { ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { Clock, Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { StoredState } from '../../state.ts';
import { describeShape } from '../../validation/evidence/argument-definition.ts';
import {
  canEnforce,
  type createModeResolver,
  hasAgreementStreak,
  isEnforcedRule,
  isRetestDue,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import { createEvidence, type Evidence, type OperationKey } from '../../validation/evidence/evidence.ts';
import {
  getRuleStats,
  type OperationStats,
  type OperatorDecision,
  type RuleStats,
  recordComparison,
  toRuleKey,
} from '../../validation/evidence/operation-stats.ts';
import {
  compareWithOrigin,
  getBrokenRules,
  type OriginVerdict,
} from '../../validation/evidence/origin-verdict.ts';
import {
  createRuleStatusLookup,
  listSharedRules,
  type RuleKnowledge,
  type RuleStatus,
  type SharedRuleStats,
} from '../../validation/evidence/rule-knowledge.ts';
import type { RequestParameters } from '../../validation/request/parameters.ts';
import {
  type InvalidRequest,
  type ParameterRule,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/result.ts';
import type { FullValidation, RequestValidator } from '../../validation/request/validator.ts';
import type { DocumentRequestValidators, Snapshot } from '../snapshot/snapshot.ts';

/** One validated operation of one snapshot, with its stats, which outlive the snapshot. */
export interface ObservedOperation extends OperationKey {
  /** `operationId`, for the log. */
  readonly operationId: string;
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly validate: RequestValidator['validate'];
  readonly stats: OperationStats;
  getFingerprint(param: string): string;
  /** Returns what is known about a rule, also by evidence of other operations. */
  getStatus(rule: ParameterRule): RuleStatus;
  /** Shares changed stats of a rule with the other operations of the namespace. */
  shareEvidence(rule: RuleStats): void;
}

/** Log, settings and persistence that all observed operations of one site share. */
export interface ObservationContext {
  /** Name of the site in the log. */
  readonly siteName: string;
  readonly log: Log;
  /** Agreements in a row that enforcement of an operation requires; `undefined` requires none. */
  readonly afterAgreement: number | undefined;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly bodyLimit: number;
  /** Whether the configuration states the limit. */
  readonly isBodyLimitStated: boolean;
  /** Removes the content coding of the origin's responses. */
  readonly decode: ContentDecoder;
  readonly tooComplexRequests: TooComplexRequests;
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

/** The rules that a request violates, and whether they reject it. */
export interface RuleJudgement {
  /** The result without suspended rules. */
  readonly active: ValidationResult;
  readonly suspended: readonly ParameterRule[];
  /** Violated rules that are not suspended. */
  readonly brokenRules: readonly ParameterRule[];
  /** Whether the mode and the evidence allow a rejection by these rules. */
  readonly isEnforceable: boolean;
}

/** Judges a validation result by what is known about the violated rules. Counts nothing. */
export function judgeRules(
  { getStatus, mode, stats, validate }: ObservedOperation,
  { result, parameters }: FullValidation,
  afterAgreement: number | undefined,
): RuleJudgement {
  const isSuspended = (param: string, rule: string): boolean => getStatus({ param, rule }) === 'suspended';
  const suspended = getBrokenRules(result).filter(({ param, rule }) => isSuspended(param, rule));
  let active: ValidationResult = result;
  if (suspended.length > 0) active = parameters === null ? VALID_REQUEST : validate(parameters, isSuspended);
  const brokenRules = getBrokenRules(active);
  // One rule that may not hold at the site is enough to forward the request: its response then decides about the rule.
  const isEnforceable =
    active.kind === 'invalid' &&
    brokenRules.every((rule) => isEnforcedRule(mode, getStatus(rule))) &&
    canEnforce(stats, brokenRules, afterAgreement);
  return { active, suspended, brokenRules, isEnforceable };
}

/** Counts a request and decides whether it is rejected. The caller counts the rejection itself. */
export function decideRejection(
  operation: ObservedOperation,
  validation: FullValidation,
  { afterAgreement, markEvidenceChanged }: ObservationContext,
): RequestDecision {
  const { getFingerprint, stats } = operation;
  const { parameters, result } = validation;
  stats.validated += 1;
  markEvidenceChanged?.();
  if (result.kind === 'valid') return { rejection: null, result, parameters };
  const { active, brokenRules, isEnforceable, suspended } = judgeRules(operation, validation, afterAgreement);
  if (active.kind === 'valid') return { rejection: null, result, parameters };
  stats.wouldRefuse += 1;
  const isRejected = isEnforceable && !countRefusals(stats, brokenRules, getFingerprint).isRetestDue;
  return {
    rejection: isRejected ? active : null,
    // Suspended rules are compared too, so that their stats show further agreement and disagreement.
    result: suspended.length === 0 ? result : { ...active, brokenRules: [...suspended, ...brokenRules] },
    parameters,
  };
}

/** Counts a refusal for each rule. A retest is due when one rule has reached a count at which the origin decides. */
function countRefusals(
  stats: OperationStats,
  brokenRules: readonly ParameterRule[],
  getFingerprint: ObservedOperation['getFingerprint'],
): { readonly isRetestDue: boolean } {
  let isDue = false;
  for (const rule of brokenRules) {
    const ruleStats = getRuleStats(stats, rule, getFingerprint);
    if (ruleStats === undefined) continue;
    ruleStats.refused += 1;
    isDue ||= isRetestDue(ruleStats.refused);
  }
  return { isRetestDue: isDue };
}

/** The origin's verdict on a forwarded request. */
export interface ObservedVerdict {
  readonly decision: RequestDecision;
  readonly verdict: OriginVerdict;
  /** Status of the origin's response. */
  readonly status: number;
}

/** Compares a decision with the origin's verdict, counts the outcome and logs changes of the enforcement state. */
export function recordOriginVerdict(
  operation: ObservedOperation,
  { decision: { result, parameters }, verdict, status }: ObservedVerdict,
  { afterAgreement, markEvidenceChanged, log, siteName }: ObservationContext,
): void {
  const { getFingerprint, operationId, method, mode, route, shareEvidence, stats } = operation;
  const isPromoted = (): boolean => afterAgreement !== undefined && hasAgreementStreak(stats, afterAgreement);
  const wasPromoted = isPromoted();
  const comparison = compareWithOrigin(result, verdict);
  const newlySuspended = recordComparison(stats, comparison, {
    status,
    describeValue: (param) => (parameters === null ? 'unread' : describeShape(findValue(parameters, param))),
    getFingerprint,
  });
  markEvidenceChanged?.();
  for (const { rule } of comparison.rules) {
    const ruleStats = stats.rules.get(toRuleKey(rule));
    if (ruleStats !== undefined) shareEvidence(ruleStats);
  }
  const logFields = { site: siteName, operation: operationId, method, route };
  for (const { param, rule, examples } of newlySuspended) {
    log.warn(
      { ...logFields, param, rule, example: examples.at(-1) },
      'the site accepted a request that violates this rule: the rule is suspended for all arguments of the namespace with the same definition',
    );
  }
  if (!rejectsRequests(mode) || wasPromoted === isPromoted()) return;
  if (wasPromoted) {
    log.warn(logFields, 'the site disagreed with a validation result: the operation is only observed again');
  } else {
    log.info({ ...logFields, afterAgreement }, 'the site agreed often enough: the operation is enforced');
  }
}

function findValue({ json, form, query, path }: RequestParameters, param: string): Json | undefined {
  return json.get(param) ?? form.get(param) ?? query.get(param) ?? path.get(param);
}

/** Counts requests that would block the event loop for too long if they were validated. */
export interface TooComplexRequests {
  /** Since the start. */
  readonly total: number;
  count(operation: OperationKey & { readonly operationId: string }, isRefused: boolean): void;
}

/** Milliseconds between two lines in the log. */
const LOG_INTERVAL = 60_000;

export function createTooComplexRequests(log: Log, clock: Clock, siteName: string): TooComplexRequests {
  let total = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    get total() {
      return total;
    },
    count({ operationId, method, route }, isRefused) {
      total += 1;
      if (clock.now() - loggedAt < LOG_INTERVAL) return;
      loggedAt = clock.now();
      log.warn(
        { site: siteName, operation: operationId, method, route, total },
        isRefused
          ? 'a request is too complex to be validated: it is refused'
          : 'a request is too complex to be validated: it is forwarded without validation',
      );
    },
  };
}

/** The observed operations of one site at its current snapshot. */
export interface ObservedOperations {
  /** Evidence of the last calibration; empty if there is none. */
  readonly calibrated: Evidence;
  /** Switches to a snapshot. Drops the evidence of operations and parameters that its document no longer declares. */
  useSnapshot(snapshot: Snapshot): void;
  /** Uses the evidence of a calibration in place of an earlier one, from the next request on. */
  useCalibration(calibrated: Evidence): void;
  /**
   * Returns the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route may run instead, or the stored evidence has not been loaded.
   */
  get(snapshot: Snapshot, match: OperationMatch): ObservedOperation | null;
  /**
   * Sets or withdraws the operator's decision about a rule that has evidence.
   *
   * @returns false if there is no such rule
   */
  decide(operation: OperationKey, rule: ParameterRule, decision: OperatorDecision | null): boolean;
}

export interface ObservedOperationsOptions {
  readonly evidence: Evidence;
  readonly knowledge: RuleKnowledge;
  readonly storedEvidence: StoredState;
  readonly resolveMode: ReturnType<typeof createModeResolver>;
  /** Name of the site in the log. */
  readonly siteName: string;
  readonly log: Log;
}

export function createObservedOperations({
  evidence,
  knowledge,
  log,
  resolveMode,
  storedEvidence,
  siteName,
}: ObservedOperationsOptions): ObservedOperations {
  let adopted: Snapshot | null = null;
  let calibrated = createEvidence();
  let byOperation = new WeakMap<ServedOperation, ObservedOperation | null>();

  return {
    get calibrated() {
      return calibrated;
    },
    useSnapshot(snapshot) {
      if (snapshot === adopted) return;
      adopted = snapshot;
      byOperation = new WeakMap();
      const { requestValidators } = snapshot;
      if (requestValidators === null) return;
      const dropped = evidence.retainDeclared(requestValidators.lookUpFingerprints);
      calibrated.retainDeclared(requestValidators.lookUpFingerprints);
      const listRules = (source: Evidence): Iterable<SharedRuleStats> =>
        listSharedRules(source, requestValidators.findNamespace);
      knowledge.restore(listRules(evidence), listRules(calibrated));
      if (dropped.operations + dropped.rules === 0) return;
      log.info(
        { site: siteName, ...dropped },
        'evidence was dropped, because the document no longer declares its parameters',
      );
      storedEvidence.markChanged();
    },
    useCalibration(evidenceOfCalibration) {
      calibrated = evidenceOfCalibration;
      adopted = null;
    },
    decide(operation, rule, decision) {
      const ruleKey = toRuleKey(rule);
      const evident =
        evidence.findStats(operation)?.rules.get(ruleKey) ??
        calibrated.findStats(operation)?.rules.get(ruleKey);
      if (evident === undefined) return false;
      // A calibration is only read, so the decision belongs to the evidence of the requests.
      const own = getRuleStats(evidence.getStats(operation), rule, () => evident.fingerprint);
      if (own === undefined) return false;
      own.decision = decision ?? undefined;
      storedEvidence.markChanged();
      return true;
    },
    get({ requestValidators }, match) {
      if (!storedEvidence.isLoaded) return null;
      if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
      const { operation, route } = match;
      const known = byOperation.get(operation);
      if (known !== undefined) return known;
      const mode = resolveMode(route, operation.method);
      const created =
        mode === 'off'
          ? null
          : createObservedOperation(match, {
              mode,
              evidence,
              calibrated,
              knowledge,
              validators: requestValidators,
            });
      byOperation.set(operation, created);
      return created;
    },
  };
}

interface ObservedOperationOptions {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly knowledge: RuleKnowledge;
  readonly evidence: Evidence;
  readonly calibrated: Evidence;
  readonly validators: DocumentRequestValidators;
}

function createObservedOperation(
  { operation, route }: { readonly operation: ServedOperation; readonly route: ServedRoute },
  { calibrated, evidence, knowledge, mode, validators }: ObservedOperationOptions,
): ObservedOperation {
  const key = { method: operation.method, route: route.pattern };
  const stats = evidence.getStats(key);
  const { getDefinition, getStatus } = createRuleStatusLookup(operation, route, {
    knowledge,
    stats: [stats, calibrated.getStats(key)],
    resolve: validators.resolveReference,
  });
  return {
    ...key,
    operationId: operation.id,
    mode,
    validate: (parameters, isSuspended) => validators.get(operation).validate(parameters, isSuspended),
    stats,
    getFingerprint: (param) => getDefinition(param).fingerprint,
    getStatus,
    shareEvidence: (rule) => knowledge.learn(getDefinition(rule.param), rule),
  };
}
