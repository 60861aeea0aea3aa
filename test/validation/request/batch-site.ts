import { readIndex } from '../../../src/discovery/index.ts';
import type { SiteAddress } from '../../../src/discovery/site.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { readServedApi, resolveReference, toOpenApi } from '../../../src/openapi/index.ts';
import { OperationMatcher } from '../../../src/router/matcher.ts';
import { runSteps } from '../../../src/steps.ts';
import { type BatchValidationResult, validateBatch } from '../../../src/validation/request/batch.ts';
import type { RequestParameters } from '../../../src/validation/request/parameters.ts';
import { VALID_REQUEST, type ValidationResult } from '../../../src/validation/request/result.ts';
import { createRequestValidators } from '../../../src/validation/request/validator.ts';

const ADDRESS: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** The validator of a site's batches, composed as in the gateway. */
export interface BatchSite {
  validate(values: RequestParameters): BatchValidationResult;
  /** Of the batch as an operation among others. */
  validateOuter(values: RequestParameters): ValidationResult;
  /** The verdict on each request, in a word. */
  partsOf(body: JsonObject): readonly string[];
}

/** @param index the root index */
export function createBatchSite(index: unknown, rejectsUnknownRoutes = false): BatchSite {
  const { document } = toOpenApi({ address: ADDRESS, ...readIndex(index) });
  const api = runSteps(readServedApi(document));
  const matcher = runSteps(OperationMatcher.create(api));
  const resolve = (reference: string): JsonObject | undefined => {
    const found = resolveReference(document, reference);
    return isJsonObject(found) ? found : undefined;
  };
  const validators = createRequestValidators(resolve);
  const batch = matcher.match('POST', '/batch/v1');
  if (batch.kind !== 'found') throw new Error('the site takes no batches');
  const validate = (parameters: RequestParameters): BatchValidationResult =>
    validateBatch(batch.operation, parameters, {
      rejectsUnknownRoutes,
      matcher,
      validate: (match, values) =>
        match.kind === 'found' ? validators.get(match.operation).validate(values) : VALID_REQUEST,
    });
  const none = new Map();
  return {
    validate,
    validateOuter: (parameters) => validators.get(batch.operation).validate(parameters),
    partsOf(body) {
      const verdict = validate({ json: new Map(Object.entries(body)), form: none, query: none, path: none });
      if (verdict.kind === 'invalid') return [verdict.code];
      return verdict.subrequests.map(({ result: each }) => (each.kind === 'invalid' ? each.code : each.kind));
    },
  };
}
