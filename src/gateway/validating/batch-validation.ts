import type { ResponseHead } from '../../http/exchange.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { parseOriginVerdict, UNDECIDED } from '../../validation/evidence/origin-verdict.ts';
import {
  type BatchSubrequest,
  type BatchValidationResult,
  type BodyParameters,
  createBatchValidator,
  noRouteError,
  type RequestParameters,
  VALID_REQUEST,
  type ValidationResult,
} from '../../validation/request/index.ts';
import type { Problem } from '../plan/problem.ts';
import type { DocumentValidators } from '../snapshot/document-validators.ts';
import { inspectBody } from './body-inspection.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  parseParameters,
  type RequestValidation,
  toProblem,
} from './incoming-request.ts';
import { JsonBodyObserver } from './json-body-observer.ts';
import {
  decideRequest,
  type ObservationContext,
  type ObservedOperation,
  type RequestDecision,
  recordOriginVerdict,
} from './observed-operation.ts';
import { OperationValidation } from './operation-validation.ts';
import { parseEnvelopedResponse } from './origin-verdict-observer.ts';
import { createBatchProblem } from './problems.ts';

/** What the validation of the subrequests of a batch needs. */
export interface BatchContext {
  readonly batch: ServedOperation;
  readonly matcher: OperationMatcher;
  readonly validators: DocumentValidators;
  /** Returns the observed operation; `null` when its requests are not validated. */
  observe(match: OperationMatch): ObservedOperation | null;
  /** Whether requests to a route that the document does not declare are rejected. */
  readonly rejectsUnknownRoutes: boolean;
}

export interface BatchValidationOptions {
  /** The batch operation; `null` when it is not validated and only subrequests to unknown routes are rejected. */
  readonly operation: ObservedOperation | null;
  readonly batch: BatchContext;
  readonly context: ObservationContext;
  readonly request: IncomingRequest;
}

/** Bytes of the response to a batch that are parsed: 25 responses. */
const MAX_OBSERVED_LENGTH = 1024 * 1024;

interface DecidedSubrequest {
  readonly operation: ObservedOperation;
  readonly decision: RequestDecision;
}

/** The validation of a batch: of the batch request itself, and of each subrequest. */
export class BatchValidation implements RequestValidation {
  readonly #own: { readonly operation: ObservedOperation; readonly validation: OperationValidation } | null;
  readonly #batch: BatchContext;
  readonly #context: ObservationContext;
  readonly #request: IncomingRequest;
  /** Keyed by the result object of the subrequest, which is created once for each. */
  readonly #decided = new Map<BatchSubrequest['result'], DecidedSubrequest>();
  #subrequests: readonly BatchSubrequest[] = [];
  #responseObserver: JsonBodyObserver | null = null;

  constructor({ operation, batch, context, request }: BatchValidationOptions) {
    this.#own =
      operation === null
        ? null
        : { operation, validation: new OperationValidation(operation, context, request) };
    this.#batch = batch;
    this.#context = context;
    this.#request = request;
  }

  get #isEnforced(): boolean {
    return this.#own?.operation.mode === 'enforce';
  }

  start(hasBody: boolean): HeadDecision {
    return inspectBody(this.#request, hasBody, {
      limit: this.#context.bodyLimit,
      validate: (body) => this.#own?.validation.validate(body) ?? this.#validateSubrequests(body),
      tooLargeProblem: (invalid) =>
        this.#isEnforced || this.#batch.rejectsUnknownRoutes ? toProblem(this.#request, invalid) : null,
    });
  }

  #validateSubrequests(body: BodyParameters): Problem | null {
    const parameters = parseParameters(this.#request, body);
    if (parameters === null) {
      // A body that cannot be parsed may contain a request to any route.
      return this.#batch.rejectsUnknownRoutes
        ? toProblem(this.#request, body.kind === 'invalid' ? body : noRouteError())
        : null;
    }
    const result = this.#validateBatch(parameters);
    if (result.kind === 'invalid') return toProblem(this.#request, result);
    this.#subrequests = result.subrequests;
    if (result.kind === 'forwarded' || !result.subrequests.some((each) => this.#isRejected(each)))
      return null;
    for (const subrequest of result.subrequests) {
      const decided = this.#decided.get(subrequest.result);
      if (decided?.decision.rejection) decided.operation.stats.refused += 1;
    }
    return createBatchProblem(result, this.#request.head.headers, isEnvelopeRequested(this.#request));
  }

  /** Whether a subrequest is rejected here. An invalid one is not while its operation is only observed. */
  #isRejected({ isBlocked, result }: BatchSubrequest): boolean {
    if (result.kind !== 'invalid') return false;
    return isBlocked === true || this.#isEnforced || this.#decided.has(result);
  }

  #validateBatch(parameters: RequestParameters): BatchValidationResult {
    const { batch, matcher, observe, rejectsUnknownRoutes, validators } = this.#batch;
    const observed = new Map<ServedOperation, ObservedOperation | null>();
    return createBatchValidator(batch, validators.resolve, {
      matchRoute: (method, route) => {
        const match = matcher.match(method, route);
        if (match.kind !== 'found' || !match.certain) return null;
        observed.set(match.operation, observe(match));
        return match;
      },
      validate: (operation, given) => this.#validateSubrequest(observed.get(operation) ?? null, given),
      isRouteAllowed: (method, route) =>
        !rejectsUnknownRoutes || (route !== null && matcher.match(method, route).kind === 'found'),
    }).validate(parameters);
  }

  #validateSubrequest(operation: ObservedOperation | null, parameters: RequestParameters): ValidationResult {
    if (operation === null) return VALID_REQUEST;
    const validation = { result: operation.validate(parameters), parameters };
    const decision = decideRequest(operation, validation, this.#context);
    // A new object, because it is the key of `#decided`.
    const result: ValidationResult = decision.rejection ?? { kind: 'valid' };
    this.#decided.set(result, { operation, decision });
    return result;
  }

  head(head: ResponseHead): void {
    this.#own?.validation.head(head);
    if (this.#decided.size === 0) return;
    this.#responseObserver = new JsonBodyObserver(head, MAX_OBSERVED_LENGTH, (body) =>
      this.#recordVerdicts(body),
    );
  }

  write(chunk: Uint8Array): void {
    this.#own?.validation.write(chunk);
    this.#responseObserver?.write(chunk);
  }

  end(): void {
    this.#own?.validation.end();
    this.#responseObserver?.end();
  }

  fail(): void {
    this.#own?.validation.fail();
    this.#responseObserver?.fail();
  }

  /** The response contains one envelope for each subrequest, in order; `null` when the origin did not run it. */
  #recordVerdicts(body: Json | undefined): void {
    const responses = isJsonObject(body) ? body['responses'] : undefined;
    for (const [index, { result }] of this.#subrequests.entries()) {
      const decided = this.#decided.get(result);
      if (decided === undefined) continue;
      const response = parseEnvelopedResponse(Array.isArray(responses) ? responses[index] : undefined);
      const verdict = response === null ? UNDECIDED : parseOriginVerdict(response);
      const status = response?.status ?? 0;
      recordOriginVerdict(decided.operation, { decision: decided.decision, verdict, status }, this.#context);
    }
  }
}
