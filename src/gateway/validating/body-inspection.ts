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
import type { IncomingRequest } from './operation-validation.ts';

/** What becomes of a request as far as its head tells. */
export type HeadDecision =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'passes'; readonly inspection?: BodyInspection };

export interface BodyValidation {
  /** Bytes that are read at most. */
  readonly limit: number;
  /** Called once, with what stands in the body, where that is known; with nothing where no parameter stands in it. */
  validate(body: BodyParameters): Problem | null;
  /** What a body is answered with that is too long to be read; `null` lets it pass. */
  tooLargeProblem(refused: InvalidRequest): Problem | null;
}

/** Bytes of a body that are held where nothing is refused: what is longer passes unread. */
const OBSERVED_BODY_LIMIT = 1024 * 1024;

/** Has a request's body read as the site reads it, before the site has it or while it streams. */
export function inspectBody(
  { head, resolved }: IncomingRequest,
  hasBody: boolean,
  { validate, limit: most, tooLargeProblem }: BodyValidation,
): HeadDecision {
  if (!hasBody) return toHeadDecision(validate(NO_BODY_PARAMETERS));
  const { headers, method: requestMethod } = head;
  const { method } = resolved.target;
  const contentType = fieldValue(headers, 'content-type') ?? null;
  if (!isUnambiguous(headers)) return toHeadDecision(validate(UNKNOWN_BODY_PARAMETERS));
  const body: BodyPlan = planBody({ requestMethod, method, contentType }, most);
  switch (body.kind) {
    case 'none':
      return toHeadDecision(validate(NO_BODY_PARAMETERS));
    case 'whole': {
      const { parse } = body;
      const refusal = tooLargeProblem(body.tooLargeError);
      // Said before it is sent, it is refused before it is read.
      if (refusal !== null && Number(fieldValue(headers, 'content-length')) > body.limit)
        return { kind: 'refused', problem: refusal };
      const limit = refusal === null ? Math.min(body.limit, OBSERVED_BODY_LIMIT) : body.limit;
      const whole = (bytes: Uint8Array): Problem | null => validate(parse(bytes));
      return {
        kind: 'passes',
        inspection: { kind: 'whole', limit, tooLong: refusal, judge: whole },
      };
    }
    case 'parts':
      return { kind: 'passes', inspection: inspectMultipart(body, validate) };
  }
}

const PASSES: HeadDecision = { kind: 'passes' };

/** Where there is nothing to wait for. */
function toHeadDecision(problem: Problem | null): HeadDecision {
  return problem === null ? PASSES : { kind: 'refused', problem };
}

/** Of several types some servers tell PHP the first, others all; what is coded some decode, others hand on. */
function isUnambiguous(headers: readonly string[]): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? '';
  return (
    fieldValue(headers, 'content-type') === firstFieldValue(headers, 'content-type') &&
    /^(?:identity)?$/i.test(coding.trim())
  );
}

function inspectMultipart(
  form: Extract<BodyPlan, { kind: 'parts' }>,
  judge: BodyValidation['validate'],
): BodyInspection {
  return {
    kind: 'parts',
    begin() {
      const reader = form.createReader();
      return {
        write(chunk) {
          reader.write(chunk);
          return null;
        },
        end: () => judge(reader.end()),
      };
    },
  };
}
