export { isJsonContentType } from '../../php/content-type.ts';
export {
  type BatchJudge,
  type BatchMatch,
  type BatchPart,
  type BatchPorts,
  type BatchVerdict,
  createBatchJudge,
  isBatch,
} from './batch.ts';
export {
  type BodyValues,
  DEFAULT_BODY_LIMIT,
  NO_BODY,
  type PartsReader,
  planReading,
  type Reading,
  type SentBody,
  UNKNOWN_BODY,
} from './body.ts';
export { createJudges, type Judges } from './judges.ts';
export { NO_SOURCE, type Source } from './parameters.ts';
export { pathValues, readQuery } from './read-query.ts';
export { noRoute } from './refused.ts';
export type * from './result.ts';
export { createRequestJudge, type RequestJudge, VALID } from './validator.ts';
