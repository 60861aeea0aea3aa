import type { ResponseHead } from '../../http/exchange.ts';
import { canEnforce, rejectsRequests } from '../../validation/evidence/enforcement.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { type BodyParameters, NO_BODY_PARAMETERS } from '../../validation/request/index.ts';
import type { Problem } from '../plan/problem.ts';
import type { RouteRequest } from '../snapshot/resolved-request.ts';
import type { SiteRefusal } from '../traffic/site-problems.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  parseParameters,
  type RequestValidation,
  toInvalidRequestProblem,
} from './incoming-request.ts';
import {
  decideRejection,
  type FullValidation,
  type ObservationContext,
  type ObservedOperation,
  type RequestDecision,
  recordOriginVerdict,
} from './observed-operation.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';
import { planBodyInspection } from './plan-body-inspection.ts';

/** Validations of requests without a body, which depend on the resolved request only; `null` when not validated. */
const validationsWithoutBody = new WeakMap<RouteRequest, FullValidation | null>();

/** The validation of a request that is not a batch. */
export class OperationValidation implements RequestValidation {
  readonly #operation: ObservedOperation;
  readonly #context: ObservationContext;
  readonly #request: IncomingRequest;
  #decision: RequestDecision | null = null;
  #verdictObserver: OriginVerdictObserver | null = null;
  #siteRefusal: SiteRefusal | null = null;
  #refusalListener: ((refusal: SiteRefusal) => void) | null = null;

  constructor(operation: ObservedOperation, context: ObservationContext, request: IncomingRequest) {
    this.#operation = operation;
    this.#context = context;
    this.#request = request;
  }

  validateHead(hasBody: boolean): HeadDecision {
    const { mode, stats } = this.#operation;
    const { afterAgreement, bodyLimit, isBodyLimitStated } = this.#context;
    const isEnforced = rejectsRequests(mode) && canEnforce(stats, [], afterAgreement);
    return planBodyInspection(this.#request, hasBody, {
      maxLength: bodyLimit,
      validate: (body) => this.validate(body),
      rejectsInvalid: isEnforced,
      // The site may take more than PHP's default limit, so `enforce` refuses by a limit of the configuration only.
      createTooLargeProblem: (invalid) =>
        isEnforced && (mode === 'strict' || isBodyLimitStated)
          ? toInvalidRequestProblem(this.#request, invalid)
          : null,
      createTooComplexProblem: (invalid) => {
        // The site may take it, so only `strict` refuses it.
        const isRefused = isEnforced && mode === 'strict';
        this.#context.tooComplexRequests.count(this.#operation, isRefused);
        return isRefused ? toInvalidRequestProblem(this.#request, invalid) : null;
      },
    });
  }

  /** Returns the error response when the request is rejected, and `null` when it is forwarded. */
  validate(body: BodyParameters): Problem | null {
    const validation =
      body === NO_BODY_PARAMETERS ? this.#validateWithoutBody() : this.#validateAllRules(body);
    // The parameters that the origin would parse are uncertain, so the request is forwarded without validation.
    if (validation === null) return null;
    this.#decision = decideRejection(this.#operation, validation, this.#context);
    const { rejection } = this.#decision;
    if (rejection === null) return null;
    this.#operation.stats.refused += 1;
    return toInvalidRequestProblem(this.#request, rejection);
  }

  /** Validates once for each resolved request, which the gateway reuses for later requests to the same URL. */
  #validateWithoutBody(): FullValidation | null {
    const { resolved } = this.#request;
    if (!resolved.isMemoized) return this.#validateAllRules(NO_BODY_PARAMETERS);
    const known = validationsWithoutBody.get(resolved);
    if (known !== undefined) return known;
    const validation = this.#validateAllRules(NO_BODY_PARAMETERS);
    validationsWithoutBody.set(resolved, validation);
    return validation;
  }

  #validateAllRules(body: BodyParameters): FullValidation | null {
    if (body.kind === 'invalid') return { result: body, parameters: null };
    const parameters = parseParameters(this.#request, body);
    return parameters === null ? null : { result: this.#operation.validate(parameters), parameters };
  }

  head(head: ResponseHead): void {
    const decision = this.#decision;
    if (decision === null) return;
    const enveloped = isEnvelopeRequested(this.#request);
    this.#verdictObserver = new OriginVerdictObserver(
      enveloped,
      this.#context.decode,
      (verdict, status, code) => {
        if (code !== '' && status >= 400) {
          this.#siteRefusal = { code, rules: listRefusedRules(verdict) };
          this.#refusalListener?.(this.#siteRefusal);
        }
        recordOriginVerdict(this.#operation, { decision, verdict, status }, this.#context);
      },
    );
    this.#verdictObserver.head(head);
  }

  onSiteRefusal(listener: (refusal: SiteRefusal) => void): void {
    if (this.#siteRefusal === null) this.#refusalListener = listener;
    else listener(this.#siteRefusal);
  }

  write(chunk: Uint8Array): void {
    this.#verdictObserver?.write(chunk);
  }

  end(): void {
    this.#verdictObserver?.end();
  }

  fail(): void {
    this.#verdictObserver?.fail();
  }
}

/** Before WordPress 5.5 a refusal has no codes of the parameters. */
function listRefusedRules(verdict: OriginVerdict): SiteRefusal['rules'] {
  if (verdict.kind !== 'refused') return [];
  const { codes, params, stage } = verdict;
  return params.map((param) => ({ param, rule: codes?.get(param) ?? stage }));
}
