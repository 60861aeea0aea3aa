import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Json } from '../../json.ts';
import type { Log } from '../../ports.ts';
import { compareWithOrigin, getBrokenRules } from '../../validation/evidence/compare-verdicts.ts';
import {
  canEnforce,
  hasAgreementStreak,
  isEnforcedRule,
  isRetestDue,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import type { OperationKey } from '../../validation/evidence/evidence.ts';
import {
  getRuleStats,
  type OperationStats,
  recordComparison,
} from '../../validation/evidence/operation-stats.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import type { RuleStatus } from '../../validation/evidence/rule-knowledge.ts';
import { type RuleStats, toRuleKey } from '../../validation/evidence/rule-stats.ts';
import { describeShape } from '../../validation/evidence/value-shape.ts';
import {
  type FullValidation,
  type InvalidRequest,
  type ParameterRule,
  type RequestParameters,
  type RequestValidator,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/index.ts';
import type { TooComplexRequests } from './too-complex-requests.ts';

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
  /** Reports that the evidence has changed and has to be written. */
  markEvidenceChanged(): void;
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
  markEvidenceChanged();
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
  markEvidenceChanged();
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
