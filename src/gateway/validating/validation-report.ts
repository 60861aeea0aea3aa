import type { Operation } from '../../openapi/index.ts';
import {
  type EvidenceExample,
  type Ledger,
  type LedgerEntry,
  type OperatorDecision,
  parseOperationName,
  type RequestCounts,
  type RuleCounts,
  type RuleKey,
  type RuleStatus,
  UNSTATED,
  type ValidationMode,
} from '../../validation/evidence/ledger.ts';
import type { createModeResolver } from '../../validation/evidence/modes.ts';
import { getBrokenRules } from '../../validation/evidence/origin-verdict.ts';
import { listSeenErrors, type SeenErrorStats } from '../../validation/evidence/seen-errors.ts';
import { NO_BODY_PARAMETERS, type RequestParameters } from '../../validation/request/parameters.ts';
import type { ParameterRule } from '../../validation/request/result.ts';
import type { DocumentRequestValidators } from '../snapshot/snapshot.ts';
import type { ObservationContext, OperationRules } from './operation-rules.ts';
import { type IncomingRequest, parseParameters } from './request-validation.ts';

/** The validation evidence of one site, as `GET /-/sites/<name>/validation` returns it. */
export interface ValidationReport {
  readonly mode: ValidationMode;
  /** Operations with validated requests, those with most requests first. */
  readonly operations: readonly OperationValidationReport[];
  /** The entries of the ledger, those that the site contradicts first. */
  readonly rules: readonly RuleValidationReport[];
  /** Arguments that the site refused and no rule did. */
  readonly missedParams: readonly {
    readonly namespace: string;
    readonly param: string;
    /** Names of the operations, such as `GET /wp/v2/posts`. */
    readonly operations: readonly string[];
    readonly count: number;
    readonly examples: readonly EvidenceExample[];
  }[];
}

export interface OperationValidationReport
  extends Readonly<Pick<RequestCounts, 'validated' | 'wouldRefuse' | 'disagreed' | 'missed' | 'undecided'>> {
  /** `operationId` of the document; `null` when the document no longer declares the operation. */
  readonly operation: string | null;
  readonly method: string;
  readonly route: string;
  readonly mode: ValidationMode;
  /** Requests that the gateway rejected without forwarding. */
  readonly refused: number;
  /** Valid requests that the site accepted, and invalid ones that it refused. */
  readonly agreed: Readonly<Pick<RequestCounts, 'accepted' | 'refused'>>;
  /** Errors that the site has sent several times. */
  readonly errors: readonly SeenErrorStats[];
}

/** A rule with its evidence, of traffic and of calibrations. `param` is empty for a rule of the request as a whole. */
export interface RuleValidationReport extends RuleKey, Readonly<RuleCounts> {
  /** What is known about the rule. In mode `enforce`, `core` and `confirmed` rules reject requests. */
  readonly status: RuleStatus;
  /** Whether the rule is ignored, because the site accepted a request that violates it. */
  readonly suspended: boolean;
  /** Names of the operations where it was violated, such as `GET /wp/v2/posts`. */
  readonly operations: readonly string[];
  readonly examples: readonly EvidenceExample[];
  /** What the operator has decided about the rule; `null` if the evidence decides. */
  readonly decision: OperatorDecision | null;
}

/**
 * @param validators validators of the current document; `null` when there is none
 * @param mode mode of operations that the document does not declare
 */
export function createValidationReport(
  { ledger }: ObservationContext,
  validators: DocumentRequestValidators | null,
  mode: ValidationMode,
  resolveMode: ReturnType<typeof createModeResolver>,
): ValidationReport {
  const operations = [...ledger.operations].flatMap(([name, stats]): readonly OperationValidationReport[] => {
    const { accepted, disagreed, missed, refused, rejected, undecided, validated, wouldRefuse } =
      stats.counts;
    if (validated === 0) return [];
    const key = parseOperationName(name);
    const known = validators?.findOperation(key);
    const operationMode = known === undefined ? mode : resolveMode(known.route, key.method);
    return [
      {
        operation: known?.operation.id ?? null,
        ...key,
        mode: operationMode,
        ...{ validated, wouldRefuse, refused: rejected, agreed: { accepted, refused } },
        ...{ disagreed, missed, undecided, errors: listSeenErrors(stats.errors) },
      },
    ];
  });
  const entries = [...ledger.entries].filter(({ isEvident }) => isEvident);
  return {
    mode,
    operations: operations.sort((one, other) => other.validated - one.validated),
    rules: entries
      .filter(({ key }) => key.rule !== UNSTATED)
      .map(toRuleReport)
      .sort((one, other) => other.disagreed - one.disagreed || other.broken - one.broken),
    missedParams: entries
      .filter(({ key }) => key.rule === UNSTATED)
      .map(({ examples, key: { namespace, param }, operations: names, total }) => {
        return { namespace, param, operations: [...names], count: total.broken, examples };
      }),
  };
}

function toRuleReport({
  decision,
  examples,
  key,
  operations,
  status,
  total,
}: LedgerEntry): RuleValidationReport {
  const suspended = status === 'suspended';
  return { ...key, ...total, status, suspended, operations: [...operations], examples, decision };
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
}

/** @param name of an operation in the ledger */
export function summarizeAgreement(ledger: Ledger, name: string): OperationAgreement | null {
  const stats = ledger.operations.get(name);
  if (stats === undefined) return null;
  const { accepted, disagreed, missed, refused } = stats.counts;
  const agreed = accepted + refused;
  const compared = agreed + disagreed + missed;
  const suspended = [...ledger.entries].filter(
    ({ operations, status }) => status === 'suspended' && operations.has(name),
  );
  return {
    comparedAtLeast: roundDown(compared),
    agreedPercent: compared === 0 ? 0 : Math.floor((100 * agreed) / compared),
    suspendedRules: suspended.length,
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
  /** Whether the gateway refuses the request, unless it forwards it as a sample. */
  readonly isRefused: boolean;
}

/**
 * Validates a read without counting it.
 *
 * @param rules `null` in mode `off`: the document alone decides
 * @returns `null` if it is not certain what the site parses
 */
export function inspectValidation(
  request: IncomingRequest,
  operation: Operation,
  validators: DocumentRequestValidators,
  rules: OperationRules | null,
): ValidationInspection | null {
  const parameters = parseParameters(request, NO_BODY_PARAMETERS);
  if (parameters === null) return null;
  const result = validators.get(operation).validate(parameters);
  return {
    mode: rules?.mode ?? 'off',
    parameters,
    violations: getBrokenRules(result).map((rule) => ({
      ...rule,
      status: rules?.get(rule).status ?? 'unknown',
    })),
    isRefused: rules?.judge({ result, parameters }).isEnforceable ?? false,
  };
}
