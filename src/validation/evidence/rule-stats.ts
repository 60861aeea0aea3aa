import type { ParameterRule } from '../request/result.ts';
import { isValidationStage } from './origin-verdict.ts';

/** Counts of the requests that violate one rule of one parameter. */
export interface RuleStats extends ParameterRule {
  /** Fingerprint of the parameter's declaration ({@link fingerprintDefinition}). */
  fingerprint: string;
  /** Forwarded requests that violated it. */
  broken: number;
  /** Requests to be rejected for it. Some of them were forwarded to retest the rule. */
  refused: number;
  /** Forwarded requests whose parameter the origin refused too, for whatever reason. */
  agreed: number;
  /**
   * Forwarded requests that the origin refused by this rule, since an origin last accepted a request that violates the
   * rule of this definition (`rule-knowledge.ts`).
   */
  confirmed: number;
  disagreed: number;
  /** Examples of violations that the origin accepted. */
  readonly examples: EvidenceExample[];
  /** What the operator has decided. A contradiction by the origin ends a confirmation. @default nothing */
  decision?: OperatorDecision | undefined;
}

/** An operator's decision about a rule at one operation. It precedes the evidence. */
export type OperatorDecision = 'confirmed' | 'suspended';

export interface EvidenceExample {
  /** Shape of the value ({@link describeShape}), never the value itself. */
  readonly value: string;
  /** Status of the origin's response. */
  readonly status: number;
}

export function toRuleKey({ param, rule }: ParameterRule): string {
  return `${rule} ${param}`;
}

/**
 * Whether a rule is suspended, because the origin accepted at least one request that violates it. Limits of the gateway
 * are never suspended.
 */
export function isSuspended(rule: RuleStats): boolean {
  return rule.disagreed > 0 && (rule.param !== '' || isValidationStage(rule.rule));
}
