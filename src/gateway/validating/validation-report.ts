import type { Operation } from '../../openapi/index.ts';
import {
  type createModeResolver,
  DEFAULT_AGREEMENT_STREAK,
  hasAgreementStreak,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import {
  type Evidence,
  type EvidenceExample,
  isSuspended,
  MAX_EXAMPLES,
  type OperationStats,
  type OperatorDecision,
  type RuleStats,
  toRuleKey,
} from '../../validation/evidence/evidence.ts';
import { getBrokenRules } from '../../validation/evidence/origin-verdict.ts';
import { type RuleStatus, RuleStatusLookup } from '../../validation/evidence/rule-knowledge.ts';
import { listSeenErrors, type SeenErrorStats } from '../../validation/evidence/seen-errors.ts';
import { NO_BODY_PARAMETERS, type RequestParameters } from '../../validation/request/parameters.ts';
import type { ParameterRule } from '../../validation/request/result.ts';
import type { DocumentRequestValidators } from '../snapshot/snapshot.ts';
import type { ObservationContext, ObservedOperation } from './observed-operation.ts';
import { type IncomingRequest, parseParameters } from './request-validation.ts';

/** The validation evidence of one site, as `GET /-/sites/<name>/validation` returns it. */
export interface ValidationReport {
  readonly mode: ValidationMode;
  /** Agreements in a row after which an operation is enforced; `null` when none are required. */
  readonly afterAgreement: number | null;
  /** Operations with evidence, those with most requests first. */
  readonly operations: readonly OperationValidationReport[];
}

export interface OperationValidationReport
  extends Readonly<Pick<OperationStats, 'validated' | 'wouldRefuse' | 'refused'>>,
    Readonly<Pick<OperationStats['outcomes'], 'disagreed' | 'missed' | 'undecided'>> {
  /** `operationId` of the document; `null` when the document no longer declares the operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly route: string;
  readonly mode: ValidationMode;
  /** Whether invalid requests are rejected now: in mode `enforce` those that violate known rules only. */
  readonly enforced: boolean;
  /** Whether the site has agreed often enough for the operation to be enforced. */
  readonly ready: boolean;
  /** Valid requests that the site accepted, and invalid ones that it refused. */
  readonly agreed: Readonly<Pick<OperationStats['outcomes'], 'accepted' | 'refused'>>;
  readonly rules: readonly RuleValidationReport[];
  /** Parameters that the site refused and no rule did. */
  readonly missedParams: readonly {
    readonly param: string;
    readonly count: number;
    readonly examples: readonly EvidenceExample[];
  }[];
  /** Errors that the site has sent several times. */
  readonly errors: readonly SeenErrorStats[];
}

/** A rule with its evidence. `param` is empty for a rule of the request as a whole. */
export interface RuleValidationReport
  extends ParameterRule,
    Readonly<Pick<RuleStats, 'broken' | 'refused' | 'agreed' | 'confirmed' | 'disagreed'>> {
  /** What is known about the rule. In mode `enforce`, `core` and `confirmed` rules reject requests. */
  readonly status: RuleStatus;
  /** Whether the rule is ignored, because the site accepted a request that violates a rule of this definition. */
  readonly suspended: boolean;
  readonly examples: readonly EvidenceExample[];
  /** What the operator has decided about the rule; `null` if the evidence decides. */
  readonly decision: OperatorDecision | null;
}

/**
 * @param calibrated evidence of a calibration, which is counted with that of the requests
 * @param validators validators of the current document; `null` when there is none
 * @param mode mode of operations that the document does not declare
 */
export function createValidationReport(
  { afterAgreement, evidence, knowledge }: ObservationContext,
  calibrated: Evidence,
  validators: DocumentRequestValidators | null,
  mode: ValidationMode,
  resolveMode: ReturnType<typeof createModeResolver>,
): ValidationReport {
  const declared = new Map(
    Array.from(validators?.listOperations() ?? [], ({ route, operation }) => [
      `${operation.method} ${route.pattern}`,
      { route, operation },
    ]),
  );
  // Operations of which the calibration alone has evidence are reported too.
  for (const [key, { rules }] of calibrated.entries()) if (rules.size > 0) evidence.getStats(key);
  const operations = evidence.entries().map(([key, stats]): OperationValidationReport => {
    const { accepted, disagreed, missed, refused, undecided } = stats.outcomes;
    const calibratedStats = calibrated.getStats(key);
    const known = declared.get(`${key.method} ${key.route}`);
    const operationMode = known === undefined ? mode : resolveMode(known.route, key.method);
    const lookup =
      known === undefined || validators === null
        ? null
        : new RuleStatusLookup(
            known.operation,
            known.route,
            knowledge,
            [stats, calibratedStats],
            validators.resolveReference,
          );
    const toStatus = (rule: RuleStats): RuleStatus =>
      lookup?.getStatus(rule) ?? (isSuspended(rule) ? 'suspended' : 'unknown');
    return {
      operation: known?.operation.id ?? null,
      method: key.method,
      route: key.route,
      mode: operationMode,
      enforced:
        rejectsRequests(operationMode) &&
        (afterAgreement === undefined || hasAgreementStreak(stats, afterAgreement)),
      ready: hasAgreementStreak(stats, afterAgreement ?? DEFAULT_AGREEMENT_STREAK),
      validated: stats.validated,
      wouldRefuse: stats.wouldRefuse,
      refused: stats.refused,
      agreed: { accepted, refused },
      disagreed,
      missed,
      undecided,
      rules: mergeRules(stats, calibratedStats).map((rule) => toRuleReport(rule, toStatus(rule))),
      missedParams: Array.from(stats.missed, ([param, missed]) => ({ param, ...missed })),
      errors: listSeenErrors(stats.errors),
    };
  });
  operations.sort((one, other) => other.validated - one.validated);
  return { mode, afterAgreement: afterAgreement ?? null, operations };
}

/** Adds the counts of a calibration to those of the requests. */
function mergeRules(stats: OperationStats, calibrated: OperationStats): readonly RuleStats[] {
  const added = [...calibrated.rules.values()].filter((rule) => !stats.rules.has(toRuleKey(rule)));
  const merged = Array.from(stats.rules.values(), (rule): RuleStats => {
    const other = calibrated.rules.get(toRuleKey(rule));
    if (other === undefined) return rule;
    return {
      ...rule,
      broken: rule.broken + other.broken,
      agreed: rule.agreed + other.agreed,
      confirmed: rule.confirmed + other.confirmed,
      disagreed: rule.disagreed + other.disagreed,
      examples: [...rule.examples, ...other.examples].slice(0, MAX_EXAMPLES),
    };
  });
  return [...merged, ...added];
}

function toRuleReport(stats: RuleStats, status: RuleStatus): RuleValidationReport {
  const { agreed, broken, confirmed, decision = null, disagreed, examples, param, refused, rule } = stats;
  const counts = { broken, refused, agreed, confirmed, disagreed };
  return { param, rule, ...counts, status, suspended: status === 'suspended', examples, decision };
}

/**
 * How far the site's responses agree with the validation of one operation. It is public, as the documentation is: it holds
 * magnitudes and shares, no values, no names of rules and no exact counts of requests.
 */
export interface OperationAgreement {
  /** Compared requests, rounded down to one significant digit; 0 for fewer than 10. */
  readonly comparedAtLeast: number;
  /** Share of the compared requests in percent, rounded down: 100 means all. */
  readonly agreedPercent: number;
  /** Rules that are ignored, because the site accepted a request that violates them. */
  readonly suspendedRules: number;
  /** Whether invalid requests are rejected now; `null` in a mode that rejects none. */
  readonly isEnforced: boolean | null;
}

/** @param required agreements in a row that enforcement requires; `undefined` requires none */
export function summarizeAgreement(
  stats: OperationStats,
  mode: ValidationMode,
  required: number | undefined,
): OperationAgreement {
  const { outcomes, rules } = stats;
  const agreed = outcomes.accepted + outcomes.refused;
  const compared = agreed + outcomes.disagreed + outcomes.missed;
  const isReady = required === undefined || hasAgreementStreak(stats, required);
  return {
    comparedAtLeast: roundDown(compared),
    agreedPercent: compared === 0 ? 0 : Math.floor((100 * agreed) / compared),
    suspendedRules: [...rules.values()].filter(isSuspended).length,
    isEnforced: rejectsRequests(mode) ? isReady : null,
  };
}

/** 4,321 → 4,000 */
function roundDown(count: number): number {
  if (count < 10) return 0;
  const magnitude = 10 ** (String(count).length - 1);
  return Math.floor(count / magnitude) * magnitude;
}

/** Whether a read is valid, and what the gateway does if it is not. */
export interface ValidationInspection {
  readonly mode: ValidationMode;
  /** The parameters, as the site parses them. */
  readonly parameters: RequestParameters;
  /** Rules that the request violates, with what is known about each; empty if it is valid. */
  readonly violations: readonly (ParameterRule & { readonly status: RuleStatus })[];
  /** Whether the gateway refuses the request. Every 50th refusal of a rule is forwarded all the same. */
  readonly isRefused: boolean;
}

/**
 * Validates a read without counting it.
 *
 * @param observed `null` in mode `off`: the document alone decides
 * @returns `null` if it is not certain what the site parses
 */
export function inspectValidation(
  request: IncomingRequest,
  operation: Operation,
  validators: DocumentRequestValidators,
  observed: ObservedOperation | null,
): ValidationInspection | null {
  const parameters = parseParameters(request, NO_BODY_PARAMETERS);
  if (parameters === null) return null;
  const result = validators.get(operation).validate(parameters);
  const describe = (rule: ParameterRule) => ({
    ...rule,
    status: observed?.lookup.getStatus(rule) ?? 'unknown',
  });
  return {
    mode: observed?.mode ?? 'off',
    parameters,
    violations: getBrokenRules(result).map(describe),
    isRefused: observed?.judge({ result, parameters }).isEnforceable ?? false,
  };
}
