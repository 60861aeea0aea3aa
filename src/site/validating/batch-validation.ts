import { BodyObserver, toJson } from '../../exchange/body-observer.ts';
import type { Problem } from '../../exchange/problem.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { Operation } from '../../openapi/index.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import { rejectsRequests } from '../../validation/evidence/ledger.ts';
import { parseOriginVerdict, UNDECIDED } from '../../validation/evidence/origin-verdict.ts';
import { type BatchRouting, type BatchSubrequest, validateBatch } from '../../validation/request/batch.ts';
import type { BodyParameters, RequestParameters } from '../../validation/request/parameters.ts';
import { noRouteError, VALID_REQUEST, type ValidationResult } from '../../validation/request/result.ts';
import type { ObservationContext, OperationRules, RequestDecision } from './operation-rules.ts';
import {
  createInterfaceProblem,
  type IncomingRequest,
  parseEnvelopedResponse,
  parseParameters,
  RequestValidation,
  toInvalidRequestProblem,
} from './request-validation.ts';

interface BatchContext extends Pick<BatchRouting, 'matcher' | 'rejectsUnknownRoutes'> {
  readonly batchOperation: Operation;
  /** Returns the rules of an operation; `null` when its requests are not validated. */
  getRules(match: OperationMatch): OperationRules | null;
}

/** Maximum length in bytes of a batch response that is parsed. A batch has at most 25 subrequests. */
const MAX_OBSERVED_LENGTH = 1024 * 1024;

export class BatchValidation extends RequestValidation {
  readonly #isEnforced: boolean;
  readonly #batchContext: BatchContext;
  /** Keyed by the result object of the subrequest, which is created once for each. */
  readonly #decided = new Map<
    BatchSubrequest['result'],
    { rules: OperationRules; decision: RequestDecision }
  >();
  #subrequests: readonly BatchSubrequest[] = [];

  /** @param batchRules `null` when only subrequests to unknown routes are rejected, and the batch is not validated */
  constructor(
    batchRules: OperationRules | null,
    batchContext: BatchContext,
    context: ObservationContext,
    { head, hasBody, resolved }: IncomingRequest,
  ) {
    // Without a memo: what is known of a batch is not known of its subrequests.
    super(batchRules, context, { head, resolved, hasBody: hasBody === true });
    this.#isEnforced = batchRules !== null && rejectsRequests(batchRules.mode);
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
    this.#subrequests = result.subrequests;
    if (result.kind === 'forwarded' || !result.subrequests.some((each) => this.#isRejected(each)))
      return null;
    for (const subrequest of result.subrequests) {
      const decided = this.#decided.get(subrequest.result);
      if (decided?.decision.rejection) decided.rules.countRejection();
    }
    const message = 'No request of the batch was run.';
    const problem = { status: result.status, body: result.body, code: 'rest_batch_refused', message };
    return createInterfaceProblem(this.request, problem);
  }

  /** Whether the gateway rejects a subrequest. If its operation forbids batches, only an enforced batch operation rejects it. */
  #isRejected({ isBlocked, result }: BatchSubrequest): boolean {
    if (result.kind !== 'invalid') return false;
    return isBlocked === true || this.#isEnforced || this.#decided.has(result);
  }

  #validateSubrequest(rules: OperationRules | null, parameters: RequestParameters): ValidationResult {
    if (rules === null) return VALID_REQUEST;
    const decision = rules.decide({ result: rules.validate(parameters), parameters });
    // A new object, because it is the key of `#decided`.
    const result: ValidationResult = decision.rejection ?? { kind: 'valid' };
    this.#decided.set(result, { rules, decision });
    return result;
  }

  override head(head: ResponseHead): void {
    super.head(head);
    if (this.#decided.size === 0) return;
    const { decode } = this.context;
    const limits = { maxBytes: MAX_OBSERVED_LENGTH, decode };
    this.observers.push(new BodyObserver(head, limits, (body) => this.#recordVerdicts(toJson(body))));
  }

  /** The response contains one envelope for each subrequest, in order; `null` when the origin did not run it. */
  #recordVerdicts(body: Json | undefined): void {
    const responses = isJsonObject(body) ? body['responses'] : undefined;
    for (const [index, { result }] of this.#subrequests.entries()) {
      const decided = this.#decided.get(result);
      if (decided === undefined) continue;
      const response = parseEnvelopedResponse(Array.isArray(responses) ? responses[index] : undefined);
      const verdict = response === null ? UNDECIDED : parseOriginVerdict(response);
      decided.rules.record(decided.decision, verdict);
    }
  }
}
