import { NO_PARAMETERS, type ParameterSource, type ParsedVariables } from './parameters.ts';
import type { InvalidRequest } from './result.ts';

/** The parameters of a body, or the error that the site sends because it cannot parse the body. */
export type BodyParameters =
  | { readonly kind: 'complete'; readonly json: ParameterSource; readonly form: ParameterSource }
  | InvalidRequest
  /** The site may parse more or other parameters. These are the ones that PHP with default settings parses. */
  | { readonly kind: 'uncertain'; readonly json: ParameterSource; readonly form: ParameterSource };

export const NO_BODY_PARAMETERS: BodyParameters = {
  kind: 'complete',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** The parameters of a body that sites may parse differently. */
export const UNKNOWN_BODY_PARAMETERS: BodyParameters = {
  kind: 'uncertain',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** The parameters of a body that would take too long to parse (`php/parse-cost.ts`). */
export const TOO_COMPLEX_BODY_PARAMETERS: BodyParameters = {
  kind: 'uncertain',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

export function toBodyParameters(
  json: ParameterSource,
  { values, isComplete }: ParsedVariables,
): BodyParameters {
  return { kind: isComplete ? 'complete' : 'uncertain', json, form: values };
}
