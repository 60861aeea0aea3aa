import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import {
  type BodyParameters,
  type BodyPlan,
  bodyTooComplexError,
  type InvalidRequest,
  NO_BODY_PARAMETERS,
  planBody,
  TOO_COMPLEX_BODY_PARAMETERS,
  UNKNOWN_BODY_PARAMETERS,
} from '../../validation/request/index.ts';
import { DEFAULT_WORK_LIMIT, limitWork } from '../../validation/wordpress/index.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type { Problem } from '../plan/problem.ts';
import type { HeadDecision, IncomingRequest } from './incoming-request.ts';

/** Limit and callbacks of {@link planBodyInspection}. */
export interface BodyValidationOptions {
  /** Maximum length of a body that is parsed, in bytes. */
  readonly maxLength: number;
  /** Called once, with the parameters of the body; with {@link NO_BODY_PARAMETERS} when there are none. */
  validate(body: BodyParameters): Problem | null;
  /** Whether invalid requests are rejected, so that a body is buffered up to `maxLength` even if a longer one is forwarded. */
  readonly rejectsInvalid: boolean;
  /** Creates the response to a body that is too large; `null` when such a request is forwarded. */
  createTooLargeProblem(invalid: InvalidRequest): Problem | null;
  /** Creates the response to a request that is too complex to validate; `null` when it is forwarded. Called once for it. */
  createTooComplexProblem(invalid: InvalidRequest): Problem | null;
}

/** Maximum bytes of a body that are buffered for observation only. A longer body is forwarded without validation. */
const OBSERVED_BODY_LIMIT = 1024 * 1024;

/**
 * Plans the validation of a request's body, which is parsed as the origin parses it: buffered before it is forwarded,
 * or while it streams. A request without parameters in its body is validated at once.
 */
export function planBodyInspection(
  { head, resolved }: IncomingRequest,
  hasBody: boolean,
  options: BodyValidationOptions,
): HeadDecision {
  const { maxLength, createTooLargeProblem } = options;
  const validate: BodyValidator = (parse) => validateWithinLimit(parse, options);
  if (!hasBody) return toHeadDecision(validate(() => NO_BODY_PARAMETERS));
  const { headers, method: requestMethod } = head;
  const { method } = resolved.target;
  const contentType = fieldValue(headers, 'content-type') ?? null;
  if (!isUnambiguous(headers)) return toHeadDecision(validate(() => UNKNOWN_BODY_PARAMETERS));
  const plan = planBody({ requestMethod, method, contentType }, maxLength);
  switch (plan.kind) {
    case 'ignored':
      return toHeadDecision(validate(() => NO_BODY_PARAMETERS));
    case 'buffered': {
      const problem = createTooLargeProblem(plan.tooLargeError);
      // A body whose announced length exceeds the limit is rejected before any of it is read.
      if (problem !== null && Number(fieldValue(headers, 'content-length')) > plan.limit) {
        return { kind: 'refused', problem };
      }
      const limit = options.rejectsInvalid ? plan.limit : Math.min(plan.limit, OBSERVED_BODY_LIMIT);
      return {
        kind: 'passes',
        bodyInspection: {
          kind: 'whole',
          maxLength: limit,
          tooLargeProblem: problem,
          createReader: plan.createReader,
          validate: (_bytes, parse) => validate(parse),
        },
      };
    }
    case 'multipart':
      return { kind: 'passes', bodyInspection: inspectMultipart(plan, options, validate) };
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

/** Validates the parameters that `parse` returns, within the work limit. */
type BodyValidator = (parse: () => BodyParameters) => Problem | null;

/**
 * Parses and validates as long as the event loop may be blocked. A request that takes longer may be valid at the site, so
 * its mode decides whether it is refused.
 */
function validateWithinLimit(
  parse: () => BodyParameters,
  { createTooComplexProblem, validate }: BodyValidationOptions,
): Problem | null {
  const refuse = (): Problem | null => createTooComplexProblem(bodyTooComplexError());
  return limitWork(
    DEFAULT_WORK_LIMIT,
    () => {
      const body = parse();
      return body === TOO_COMPLEX_BODY_PARAMETERS ? refuse() : validate(body);
    },
    refuse,
  );
}

function inspectMultipart(
  plan: Extract<BodyPlan, { kind: 'multipart' }>,
  { createTooLargeProblem }: BodyValidationOptions,
  validate: BodyValidator,
): BodyInspection {
  return {
    kind: 'parts',
    isRequired: createTooLargeProblem(bodyTooComplexError()) !== null,
    createInspector() {
      const reader = plan.createReader();
      return {
        get retainedBytes() {
          return reader.retainedBytes;
        },
        write(chunk) {
          reader.write(chunk);
          return null;
        },
        end: () => validate(() => reader.end()),
      };
    },
  };
}
