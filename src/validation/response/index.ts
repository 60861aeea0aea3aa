export {
  FINDING_SEVERITIES,
  type FindingSeverity,
  type JsonType,
  type ResponseFinding,
  type ResponseFindingKind,
} from './finding.ts';
export {
  type CountedFinding,
  createResponseFindingStats,
  type OperationFindings,
  type ResponseFindingStats,
  type ResponseValidationReport,
} from './finding-stats.ts';
export {
  createResponseValidator,
  type RequestedRepresentation,
  type ResponseValidationResult,
  type ResponseValidator,
  type SampledResponse,
  type SkipReason,
} from './validator.ts';
