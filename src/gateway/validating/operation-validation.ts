import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import { canEnforce, rejectsRequests } from '../../validation/evidence/enforcement.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import {
  type BodyParameters,
  type BodyPlan,
  NO_BODY_PARAMETERS,
  planBody,
  TOO_COMPLEX_BODY_PARAMETERS,
  UNKNOWN_BODY_PARAMETERS,
} from '../../validation/request/parameters.ts';
import type { InvalidRequest } from '../../validation/request/result.ts';
import { bodyTooComplexError, bodyTooLargeError } from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import { DEFAULT_WORK_LIMIT, limitWork } from '../../validation/wordpress/schema.ts';
import type { BodyInspection } from '../exchange/inspected-exchange.ts';
import type { Problem } from '../exchange/problem.ts';
import type { SiteRefusal } from '../traffic/site-recorder.ts';
import {
  type HeadDecision,
  type IncomingRequest,
  isEnvelopeRequested,
  parseParameters,
  type RequestValidation,
  toInvalidRequestProblem,
} from './incoming-request.ts';
import type { ObservationContext, ObservedOperation, RequestDecision } from './observed-operation.ts';
import { OriginVerdictObserver } from './origin-verdict-observer.ts';

/** Maximum bytes of a body that are buffered for observation only. A longer body is forwarded without validation. */
const OBSERVED_BODY_LIMIT = 1024 * 1024;

/**
 * Validates the parameters of a request. Its body is parsed as the origin parses it: buffered before it is forwarded, or while
 * it streams. A request without parameters in its body is validated at once.
 */
export abstract class ParameterValidation {
  protected readonly request: IncomingRequest;
  /** Maximum length of a body that is parsed, in bytes. */
  readonly #maxLength: number;

  constructor(request: IncomingRequest, maxLength: number) {
    this.request = request;
    this.#maxLength = maxLength;
  }

  /** Called once, with the parameters of the body; with {@link NO_BODY_PARAMETERS} when there are none. */
  abstract validate(body: BodyParameters): Problem | null;
  /** Whether invalid requests are rejected, so that a body is buffered up to the limit even if a longer one is forwarded. */
  protected abstract get rejectsInvalid(): boolean;
  /** Creates the response to a body that is too large; `null` when such a request is forwarded. */
  protected abstract createTooLargeProblem(invalid: InvalidRequest): Problem | null;
  /** Creates the response to a request that is too complex to validate; `null` when it is forwarded. Called once for it. */
  protected abstract createTooComplexProblem(invalid: InvalidRequest): Problem | null;

  validateHead(hasBody: boolean): HeadDecision {
    if (!hasBody) return toHeadDecision(this.#validateWithinLimit(() => NO_BODY_PARAMETERS));
    const { head, resolved } = this.request;
    const { headers, method: requestMethod } = head;
    const contentType = fieldValue(headers, 'content-type') ?? null;
    if (!isUnambiguous(headers)) {
      return toHeadDecision(this.#validateWithinLimit(() => UNKNOWN_BODY_PARAMETERS));
    }
    const plan = planBody({ requestMethod, method: resolved.target.method, contentType }, this.#maxLength);
    switch (plan.kind) {
      case 'ignored':
        return toHeadDecision(this.#validateWithinLimit(() => NO_BODY_PARAMETERS));
      case 'buffered': {
        const problem = this.createTooLargeProblem(bodyTooLargeError(plan.limit));
        // A body whose announced length exceeds the limit is rejected before any of it is read.
        if (problem !== null && Number(fieldValue(headers, 'content-length')) > plan.limit) {
          return { kind: 'refused', problem };
        }
        return {
          kind: 'passes',
          bodyInspection: {
            kind: 'whole',
            maxLength: this.rejectsInvalid ? plan.limit : Math.min(plan.limit, OBSERVED_BODY_LIMIT),
            tooLargeProblem: problem,
            createReader: plan.createReader,
            validate: (_bytes, parse) => this.#validateWithinLimit(parse),
          },
        };
      }
      case 'multipart':
        return { kind: 'passes', bodyInspection: this.#inspectMultipart(plan) };
    }
  }

  #inspectMultipart(plan: Extract<BodyPlan, { kind: 'multipart' }>): BodyInspection {
    return {
      kind: 'parts',
      isRequired: this.createTooLargeProblem(bodyTooComplexError()) !== null,
      createInspector: () => {
        const reader = plan.createReader();
        return {
          get retainedBytes() {
            return reader.retainedBytes;
          },
          write(chunk) {
            reader.write(chunk);
            return null;
          },
          end: () => this.#validateWithinLimit(() => reader.end()),
        };
      },
    };
  }

  /**
   * Parses and validates as long as the event loop may be blocked. A request that takes longer may be valid at the site, so
   * its mode decides whether it is refused.
   */
  #validateWithinLimit(parse: () => BodyParameters): Problem | null {
    const refuse = (): Problem | null => this.createTooComplexProblem(bodyTooComplexError());
    return limitWork(
      DEFAULT_WORK_LIMIT,
      () => {
        const body = parse();
        return body === TOO_COMPLEX_BODY_PARAMETERS ? refuse() : this.validate(body);
      },
      refuse,
    );
  }
}

const PASSES: HeadDecision = { kind: 'passes' };

function toHeadDecision(problem: Problem | null): HeadDecision {
  return problem === null ? PASSES : { kind: 'refused', problem };
}

/**
 * Whether every origin server parses the body alike. Of several `Content-Type` fields, some servers give PHP the first
 * and others all of them. Some servers decode a content coding, and others give PHP the encoded body.
 */
function isUnambiguous(headers: readonly string[]): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? '';
  return (
    fieldValue(headers, 'content-type') === firstFieldValue(headers, 'content-type') &&
    /^(?:identity)?$/i.test(coding.trim())
  );
}

/** The validation of a request that is not a batch. */
export class OperationValidation extends ParameterValidation implements RequestValidation {
  readonly #operation: ObservedOperation;
  readonly #context: ObservationContext;
  #decision: RequestDecision | null = null;
  #verdictObserver: OriginVerdictObserver | null = null;
  #siteRefusal: SiteRefusal | null = null;
  #refusalListener: ((refusal: SiteRefusal) => void) | null = null;

  constructor(operation: ObservedOperation, context: ObservationContext, request: IncomingRequest) {
    super(request, context.bodyLimit);
    this.#operation = operation;
    this.#context = context;
  }

  override validateHead(hasBody: boolean): HeadDecision {
    const known = hasBody ? undefined : this.request.memo?.validation;
    if (known === undefined) return super.validateHead(hasBody);
    return toHeadDecision(this.#decide(known));
  }

  protected get rejectsInvalid(): boolean {
    const { mode, stats } = this.#operation;
    return rejectsRequests(mode) && canEnforce(stats, [], this.#context.afterAgreement);
  }

  /** The site may take more than PHP's default limit, so `enforce` refuses by a limit of the configuration only. */
  protected createTooLargeProblem(invalid: InvalidRequest): Problem | null {
    const isRefused =
      this.rejectsInvalid && (this.#operation.mode === 'strict' || this.#context.isBodyLimitStated);
    return isRefused ? toInvalidRequestProblem(this.request, invalid) : null;
  }

  /** The site may take it, so only `strict` refuses it. */
  protected createTooComplexProblem(invalid: InvalidRequest): Problem | null {
    const isRefused = this.rejectsInvalid && this.#operation.mode === 'strict';
    this.#context.tooComplexRequests.count(this.#operation, isRefused);
    return isRefused ? toInvalidRequestProblem(this.request, invalid) : null;
  }

  /** Returns the error response when the request is rejected, and `null` when it is forwarded. */
  validate(body: BodyParameters): Problem | null {
    const validation = this.#validateAllRules(body);
    const { memo } = this.request;
    if (body === NO_BODY_PARAMETERS && memo !== undefined) memo.validation = validation;
    return this.#decide(validation);
  }

  /** @param validation `null` if the parameters that the origin would parse are uncertain: the request is forwarded */
  #decide(validation: FullValidation | null): Problem | null {
    if (validation === null) return null;
    this.#decision = this.#operation.decide(validation);
    const { rejection } = this.#decision;
    if (rejection === null) return null;
    this.#operation.stats.refused += 1;
    return toInvalidRequestProblem(this.request, rejection);
  }

  #validateAllRules(body: BodyParameters): FullValidation | null {
    if (body.kind === 'invalid') return { result: body, parameters: null };
    const parameters = parseParameters(this.request, body);
    return parameters === null ? null : { result: this.#operation.validate(parameters), parameters };
  }

  head(head: ResponseHead): void {
    const decision = this.#decision;
    if (decision === null) return;
    const enveloped = isEnvelopeRequested(this.request);
    this.#verdictObserver = new OriginVerdictObserver(
      enveloped,
      this.#context.decode,
      (verdict, status, code) => {
        if (code !== '' && status >= 400) {
          this.#siteRefusal = { code, rules: listRefusedRules(verdict) };
          this.#refusalListener?.(this.#siteRefusal);
        }
        this.#operation.record(decision, verdict, status);
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
