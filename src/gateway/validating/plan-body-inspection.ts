import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import {
  type BodyParameters,
  type BodyPlan,
  type InvalidRequest,
  NO_BODY_PARAMETERS,
  planBody,
  UNKNOWN_BODY_PARAMETERS,
} from '../../validation/request/index.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type { Problem } from '../plan/problem.ts';
import type { HeadDecision, IncomingRequest } from './incoming-request.ts';

/** Limit and callbacks of {@link planBodyInspection}. */
export interface BodyValidationOptions {
  /** Maximum length of a body that is parsed, in bytes. */
  readonly maxLength: number;
  /** Called once, with the parameters of the body; with {@link NO_BODY_PARAMETERS} when there are none. */
  validate(body: BodyParameters): Problem | null;
  /** Creates the response to a body that is too large; `null` when such a request is forwarded. */
  createTooLargeProblem(invalid: InvalidRequest): Problem | null;
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
  { validate, maxLength, createTooLargeProblem }: BodyValidationOptions,
): HeadDecision {
  if (!hasBody) return toHeadDecision(validate(NO_BODY_PARAMETERS));
  const { headers, method: requestMethod } = head;
  const { method } = resolved.target;
  const contentType = fieldValue(headers, 'content-type') ?? null;
  if (!isUnambiguous(headers)) return toHeadDecision(validate(UNKNOWN_BODY_PARAMETERS));
  const plan = planBody({ requestMethod, method, contentType }, maxLength);
  switch (plan.kind) {
    case 'ignored':
      return toHeadDecision(validate(NO_BODY_PARAMETERS));
    case 'buffered': {
      const { parse } = plan;
      const problem = createTooLargeProblem(plan.tooLargeError);
      // A body whose announced length exceeds the limit is rejected before any of it is read.
      if (problem !== null && Number(fieldValue(headers, 'content-length')) > plan.limit) {
        return { kind: 'refused', problem };
      }
      const limit = problem === null ? Math.min(plan.limit, OBSERVED_BODY_LIMIT) : plan.limit;
      return {
        kind: 'passes',
        bodyInspection: {
          kind: 'whole',
          maxLength: limit,
          tooLargeProblem: problem,
          validate: (bytes) => validate(parse(bytes)),
        },
      };
    }
    case 'multipart':
      return { kind: 'passes', bodyInspection: inspectMultipart(plan, validate) };
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

function inspectMultipart(
  plan: Extract<BodyPlan, { kind: 'multipart' }>,
  validate: BodyValidationOptions['validate'],
): BodyInspection {
  return {
    kind: 'parts',
    createInspector() {
      const reader = plan.createReader();
      return {
        write(chunk) {
          reader.write(chunk);
          return null;
        },
        end: () => validate(reader.end()),
      };
    },
  };
}
