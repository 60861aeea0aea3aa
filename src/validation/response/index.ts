export {
  type FindingSeverity,
  type JsonType,
  type ResponseFinding,
  type ResponseFindingKind,
  SEVERITY_OF_FINDING,
} from './finding.ts';
export {
  type CountedFinding,
  createResponseFindings,
  type OperationFindings,
  type ResponseFindings,
  type ResponseReport,
} from './findings.ts';
export {
  type Asked,
  createResponseJudge,
  type Judgement,
  type ResponseJudge,
  type SiteAnswer,
  type UnjudgedReason,
} from './validator.ts';
