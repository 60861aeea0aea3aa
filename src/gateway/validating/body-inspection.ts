import { fieldValue, firstValue } from '../../http/fields.ts';
import {
  type BodyValues,
  NO_BODY,
  planReading,
  type Reading,
  type Refused,
  UNKNOWN_BODY,
} from '../../validation/request/index.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type { Problem } from '../plan/problem.ts';
import type { JudgedRequest } from './operation-validation.ts';

/** What becomes of a request as far as its head tells. */
export type Beginning =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'passes'; readonly inspection?: BodyInspection };

export interface BodyUse {
  /** Bytes that are read at most. */
  readonly limit: number;
  /** Called once, with what stands in the body, where that is known; with nothing where no parameter stands in it. */
  judge(body: BodyValues): Problem | null;
  /** What a body is answered with that is too long to be read; `null` lets it pass. */
  tooLong(refused: Refused): Problem | null;
}

/** Bytes of a body that are held where nothing is refused: what is longer passes unread. */
const WATCHED_LENGTH = 1024 * 1024;

/** Has a request's body read as the site reads it, before the site has it or while it streams. */
export function beginBody(
  { head, reading }: JudgedRequest,
  hasBody: boolean,
  { judge, limit: most, tooLong }: BodyUse,
): Beginning {
  if (!hasBody) return afterAll(judge(NO_BODY));
  const { headers, method: sent } = head;
  const { method } = reading.target;
  const contentType = fieldValue(headers, 'content-type') ?? null;
  if (!isReadAlike(headers)) return afterAll(judge(UNKNOWN_BODY));
  const body: Reading = planReading({ sent, method, contentType }, most);
  switch (body.kind) {
    case 'none':
      return afterAll(judge(NO_BODY));
    case 'whole': {
      const { read } = body;
      const refusal = tooLong(body.tooLong);
      // Said before it is sent, it is refused before it is read.
      if (refusal !== null && Number(fieldValue(headers, 'content-length')) > body.limit)
        return { kind: 'refused', problem: refusal };
      const limit = refusal === null ? Math.min(body.limit, WATCHED_LENGTH) : body.limit;
      const whole = (bytes: Uint8Array): Problem | null => judge(read(bytes));
      return {
        kind: 'passes',
        inspection: { kind: 'whole', limit, tooLong: refusal, judge: whole },
      };
    }
    case 'parts':
      return { kind: 'passes', inspection: partsOf(body, judge) };
  }
}

const PASSES: Beginning = { kind: 'passes' };

/** Where there is nothing to wait for. */
function afterAll(problem: Problem | null): Beginning {
  return problem === null ? PASSES : { kind: 'refused', problem };
}

/** Of several types some servers tell PHP the first, others all; what is coded some decode, others hand on. */
function isReadAlike(headers: readonly string[]): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? '';
  return (
    fieldValue(headers, 'content-type') === firstValue(headers, 'content-type') &&
    /^(?:identity)?$/i.test(coding.trim())
  );
}

function partsOf(form: Extract<Reading, { kind: 'parts' }>, judge: BodyUse['judge']): BodyInspection {
  return {
    kind: 'parts',
    begin() {
      const reader = form.begin();
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
