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
  type BodyParameters,
  type BodyPlan,
  type BufferedBodyReader,
  DEFAULT_BODY_LIMIT,
  type MultipartBodyReader,
  NO_BODY_PARAMETERS,
  planBody,
  TOO_COMPLEX_BODY_PARAMETERS,
  UNKNOWN_BODY_PARAMETERS,
} from './body.ts';
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
  createRequestValidators,
  type FullValidation,
  RequestValidator,
  type RequestValidators,
} from './validator.ts';
