import type { ServedOperation } from '../../openapi/index.ts';
import { getBrokenRules } from '../../validation/evidence/compare-verdicts.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import type { RuleStatus } from '../../validation/evidence/rule-knowledge.ts';
import {
  NO_BODY_PARAMETERS,
  type ParameterRule,
  type RequestParameters,
} from '../../validation/request/index.ts';
import type { DocumentRequestValidators } from '../snapshot/document-request-validators.ts';
import { type IncomingRequest, parseParameters } from './incoming-request.ts';
import { judgeRules, type ObservedOperation } from './observed-operation.ts';

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
  operation: ServedOperation,
  validators: DocumentRequestValidators,
  observed: ObservedOperation | null,
  afterAgreement: number | undefined,
): ValidationInspection | null {
  const parameters = parseParameters(request, NO_BODY_PARAMETERS);
  if (parameters === null) return null;
  const result = validators.get(operation).validate(parameters);
  const describe = (rule: ParameterRule) => ({ ...rule, status: observed?.getStatus(rule) ?? 'unknown' });
  return {
    mode: observed?.mode ?? 'off',
    parameters,
    violations: getBrokenRules(result).map(describe),
    isRefused:
      observed !== null && judgeRules(observed, { result, parameters }, afterAgreement).isEnforceable,
  };
}
