export { isJsonContentType } from '../../php/content-type.ts';
export {
  type BatchCallbacks,
  type BatchRouteMatch,
  type BatchSubrequest,
  type BatchValidationResult,
  type BatchValidator,
  createBatchValidator,
  isBatchOperation,
} from './batch.ts';
export {
  type BodyDescription,
  type BodyParameters,
  type BodyPlan,
  DEFAULT_BODY_LIMIT,
  type MultipartBodyReader,
  NO_BODY_PARAMETERS,
  planBody,
  UNKNOWN_BODY_PARAMETERS,
} from './body.ts';
export { createRequestValidators, type RequestValidators } from './judges.ts';
export { NO_PARAMETERS, type ParameterSource } from './parameters.ts';
export { parseQueryParameters, toPathParameters } from './read-query.ts';
export { noRouteError } from './refused.ts';
export type * from './result.ts';
export { createRequestValidator, type RequestValidator, VALID_REQUEST } from './validator.ts';
