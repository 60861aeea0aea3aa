import type { Problem } from '../../exchange/problem.ts';
import type { Operation } from '../../openapi/index.ts';
import type { OperationMatcher } from '../../router/matcher.ts';
import { hasKnownRoutes } from '../../validation/request/batch.ts';
import type { BodyParameters } from '../../validation/request/parameters.ts';
import { noRouteError } from '../../validation/request/result.ts';
import type { OperationRules, ValidationContext } from './operation-rules.ts';
import {
  type IncomingRequest,
  parseParameters,
  RequestValidation,
  toInvalidRequestProblem,
} from './request-validation.ts';

/** Validation of a batch for a site that refuses unknown routes. */
export class BatchValidation extends RequestValidation {
  readonly #operation: Operation;
  readonly #matcher: OperationMatcher;

  constructor(
    rules: OperationRules | null,
    operation: Operation,
    matcher: OperationMatcher,
    context: ValidationContext,
    { head, hasBody, resolved }: IncomingRequest,
  ) {
    // Without a memo: what is known of a batch is not known of its subrequests.
    super(rules, context, { head, resolved, hasBody: hasBody === true });
    this.#operation = operation;
    this.#matcher = matcher;
  }

  protected override get rejectsInvalid(): boolean {
    return true;
  }

  protected override get refusesTooLarge(): boolean {
    return true;
  }

  protected override get refusesTooComplex(): boolean {
    return true;
  }

  override validate(body: BodyParameters): Problem | null {
    return super.validate(body) ?? this.#refuseUnknownRoutes(body);
  }

  #refuseUnknownRoutes(body: BodyParameters): Problem | null {
    const parameters = parseParameters(this.request, body);
    if (parameters !== null && hasKnownRoutes(this.#operation, parameters, this.#matcher)) return null;
    return toInvalidRequestProblem(this.request, body.kind === 'invalid' ? body : noRouteError());
  }
}
