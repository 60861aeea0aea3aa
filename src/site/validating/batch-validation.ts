import type { Problem } from '../../exchange/problem.ts';
import type { Operation } from '../../openapi/index.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import { type BatchRouting, type BatchSubrequest, validateBatch } from '../../validation/request/batch.ts';
import type { BodyParameters, RequestParameters } from '../../validation/request/parameters.ts';
import { noRouteError, VALID_REQUEST, type ValidationResult } from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import type { OperationRules, ValidationContext } from './operation-rules.ts';
import {
  createInterfaceProblem,
  type IncomingRequest,
  parseParameters,
  RequestValidation,
  toInvalidRequestProblem,
} from './request-validation.ts';

interface BatchContext extends Pick<BatchRouting, 'matcher' | 'rejectsUnknownRoutes'> {
  readonly batchOperation: Operation;
  /** Returns the rules of an operation; `null` when its requests are not validated. */
  getRules(match: OperationMatch): OperationRules | null;
}

export class BatchValidation extends RequestValidation {
  readonly #isEnforced: boolean;
  readonly #batchContext: BatchContext;
  readonly #validated: {
    rules: OperationRules;
    validation: FullValidation;
    refusal: ValidationResult | null;
  }[] = [];

  /** @param batchRules `null` when only subrequests to unknown routes are rejected, and the batch is not validated */
  constructor(
    batchRules: OperationRules | null,
    batchContext: BatchContext,
    context: ValidationContext,
    { head, hasBody, resolved }: IncomingRequest,
  ) {
    // Without a memo: what is known of a batch is not known of its subrequests.
    super(batchRules, context, { head, resolved, hasBody: hasBody === true });
    this.#isEnforced = batchRules !== null && batchRules.mode !== 'observe';
    this.#batchContext = batchContext;
  }

  protected override get rejectsInvalid(): boolean {
    return this.#isEnforced || this.#batchContext.rejectsUnknownRoutes;
  }

  protected override get refusesTooLarge(): boolean {
    return this.rejectsInvalid;
  }

  /** It can contain a request to any route. */
  protected override get refusesTooComplex(): boolean {
    return this.#batchContext.rejectsUnknownRoutes || super.refusesTooComplex;
  }

  override validate(body: BodyParameters): Problem | null {
    return super.validate(body) ?? this.#validateSubrequests(body);
  }

  #validateSubrequests(body: BodyParameters): Problem | null {
    const parameters = parseParameters(this.request, body);
    if (parameters === null) {
      // A body that cannot be parsed can contain a request to any route.
      return this.#batchContext.rejectsUnknownRoutes
        ? toInvalidRequestProblem(this.request, body.kind === 'invalid' ? body : noRouteError())
        : null;
    }
    const { batchOperation, getRules, matcher, rejectsUnknownRoutes } = this.#batchContext;
    const result = validateBatch(batchOperation, parameters, {
      matcher,
      rejectsUnknownRoutes,
      validate: (match, given) => this.#validateSubrequest(getRules(match), given),
    });
    if (result.kind === 'invalid') return toInvalidRequestProblem(this.request, result);
    const isRefused =
      result.kind !== 'forwarded' && result.subrequests.some((each) => this.#isRejected(each));
    for (const { refusal, rules, validation } of this.#validated)
      this.context.count(rules, validation, isRefused && refusal !== null);
    if (!isRefused) return null;
    const message = 'No request of the batch was run.';
    const problem = { status: result.status, body: result.body, code: 'rest_batch_refused', message };
    return createInterfaceProblem(this.request, problem);
  }

  /** Whether the gateway rejects a subrequest. If its operation forbids batches, only an enforced batch operation rejects it. */
  #isRejected({ isBlocked, result }: BatchSubrequest): boolean {
    if (result.kind !== 'invalid') return false;
    return (
      isBlocked === true || this.#isEnforced || this.#validated.some(({ refusal }) => refusal === result)
    );
  }

  #validateSubrequest(rules: OperationRules | null, parameters: RequestParameters): ValidationResult {
    if (rules === null) return VALID_REQUEST;
    const validation = rules.validate(parameters);
    const refusal = rules.findRefusal(validation);
    this.#validated.push({ rules, validation, refusal });
    return refusal ?? VALID_REQUEST;
  }
}
