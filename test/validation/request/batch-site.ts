import { readIndex } from '../../../src/discovery/index.ts';
import type { SiteAddress } from '../../../src/discovery/site.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { readServedApi, resolveReference, toOpenApi } from '../../../src/openapi/index.ts';
import { OperationMatcher } from '../../../src/router/matcher.ts';
import { runSteps } from '../../../src/steps.ts';
import { type BatchValidationResult, validateBatch } from '../../../src/validation/request/batch.ts';
import { NO_PARAMETERS, type RequestParameters } from '../../../src/validation/request/parameters.ts';
import { VALID_REQUEST, type ValidationResult } from '../../../src/validation/request/result.ts';
import { RequestValidator } from '../../../src/validation/request/validator.ts';

const ADDRESS: SiteAddress = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

/** The validator of a site's batches, composed as in the gateway. Each batch is the body of a request. */
export interface BatchSite {
  validate(body: JsonObject): BatchValidationResult;
  /** Of the batch as an operation among others. */
  validateOuter(body: JsonObject): ValidationResult;
  /** The verdict on each request, in a word. */
  partsOf(body: JsonObject): readonly string[];
}

/** @param index the root index */
export function createBatchSite(index: unknown): BatchSite {
  const { document } = toOpenApi({ address: ADDRESS, ...readIndex(index) });
  const matcher = runSteps(OperationMatcher.create(runSteps(readServedApi(document))));
  const resolve = (reference: string): JsonObject | undefined => {
    const found = resolveReference(document, reference);
    return isJsonObject(found) ? found : undefined;
  };
  const batch = matcher.match('POST', '/batch/v1');
  if (batch.kind !== 'found') throw new Error('the site takes no batches');
  const toParameters = (body: JsonObject): RequestParameters => {
    const none = NO_PARAMETERS;
    return { json: new Map(Object.entries(body)), form: none, query: none, path: none };
  };
  const validate = (body: JsonObject): BatchValidationResult =>
    validateBatch(batch.operation, toParameters(body), {
      rejectsUnknownRoutes: false,
      matcher,
      validate: (match, values) =>
        match.kind === 'found'
          ? new RequestValidator(match.operation, resolve).validate(values)
          : VALID_REQUEST,
    });
  return {
    validate,
    validateOuter: (body) => new RequestValidator(batch.operation, resolve).validate(toParameters(body)),
    partsOf(body) {
      const verdict = validate(body);
      if (verdict.kind === 'invalid') return [verdict.code];
      return verdict.subrequests.map(({ result: each }) => (each.kind === 'invalid' ? each.code : each.kind));
    },
  };
}
