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
  type BodyHead,
  type BodyPlan,
  DEFAULT_BODY_LIMIT,
  type MultipartBodyReader,
  planBody,
} from './body.ts';
export {
  type BodyParameters,
  NO_BODY_PARAMETERS,
  TOO_COMPLEX_BODY_PARAMETERS,
  UNKNOWN_BODY_PARAMETERS,
} from './body-parameters.ts';
export type { BufferedBodyReader } from './buffered-body.ts';
export {
  NO_PARAMETERS,
  type ParameterSource,
  parseQueryParameters,
  type RequestParameters,
  toPathParameters,
} from './parameters.ts';
export {
  bodyTooComplexError,
  type InvalidRequest,
  type IsRuleSuspended,
  noRouteError,
  type ParameterRule,
  VALID_REQUEST,
  type ValidationResult,
} from './result.ts';
export {
  createRequestValidator,
  createRequestValidators,
  type RequestValidator,
  type RequestValidators,
} from './validator.ts';
