export { type Finding, type FindingKind, type JsonType, KINDS, type Weight } from './finding.ts';
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
} from './judge.ts';
