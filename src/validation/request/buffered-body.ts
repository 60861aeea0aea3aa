import { toByteString } from '../../php/byte-string.ts';
import { castJsonToArray, decodePhpJson } from '../../php/json.ts';
import { findJsonError, MAX_JSON_DEPTH } from '../../php/json-error.ts';
import { estimateFormCost, JsonScanner } from '../../php/parse-cost.ts';
import { DEFAULT_WORK_LIMIT, remainingWork, spendWork } from '../wordpress/index.ts';
import {
  type BodyParameters,
  NO_BODY_PARAMETERS,
  TOO_COMPLEX_BODY_PARAMETERS,
  toBodyParameters,
} from './body-parameters.ts';
import { NO_PARAMETERS, parseVariables } from './parameters.ts';
import { invalidJsonError } from './result.ts';

/** Reads one body that is buffered. */
export interface BufferedBodyReader {
  /** Estimates the time of parsing a chunk. @param chunk not retained */
  write(chunk: Uint8Array): void;
  /**
   * Parses the body; {@link TOO_COMPLEX_BODY_PARAMETERS} if that would block the event loop for too long. Another call has
   * the same result, and counts the same work.
   *
   * @param body all chunks
   */
  end(body: Uint8Array): BodyParameters;
}

/** What the site parses a body as. */
export interface BodyParser {
  readonly isJson: boolean;
  readonly formParser: FormParser | null;
}

export type FormParser = 'php' | 'wordpress';

export function createBufferedBodyReader({ formParser, isJson }: BodyParser): BufferedBodyReader {
  const json = isJson ? new JsonScanner(MAX_JSON_DEPTH) : null;
  let formCost = 0;
  let parsed: BodyParameters | null = null;
  let skipped: BodyParameters | null = null;
  return {
    write(chunk) {
      json?.write(chunk);
      if (formParser !== null) formCost += estimateFormCost(chunk);
    },
    end(body) {
      const work = (json?.cost ?? 0) + formCost;
      if (!hasTimeFor(work)) {
        skipped ??= skipBody(body, json);
        return skipped;
      }
      parsed ??= parseBody(body, json, formParser);
      return parsed;
    },
  };
}

/** Returns the error of JSON that nests too deep, if there is time to read the text before the bracket that does. */
function skipBody(body: Uint8Array, json: JsonScanner | null): BodyParameters {
  const tooDeep = json?.tooDeep ?? null;
  if (tooDeep === null || !hasTimeFor(tooDeep.cost)) return TOO_COMPLEX_BODY_PARAMETERS;
  const error = findJsonError(body.subarray(0, tooDeep.at + 1));
  return error === null ? TOO_COMPLEX_BODY_PARAMETERS : invalidJsonError(error);
}

function parseBody(
  body: Uint8Array,
  json: JsonScanner | null,
  formParser: FormParser | null,
): BodyParameters {
  if (body.length === 0) return NO_BODY_PARAMETERS;
  // WordPress tests the body with PHP's `empty()`, which is true for "0".
  const isEmpty = body.length === 1 && body[0] === 0x30;
  const decoded = json !== null && !isEmpty ? decodePhpJson(body, json.tooDeep !== null) : null;
  if (decoded?.ok === false) return invalidJsonError(decoded.error);
  const hasForm = formParser === 'php' || (formParser === 'wordpress' && !isEmpty);
  const form = parseVariables(hasForm ? toByteString(body) : '');
  return toBodyParameters(decoded === null ? NO_PARAMETERS : castJsonToArray(decoded.value), form);
}

/** Whether the work limit of the request, or the default one, leaves time; counts the work if it does. */
export function hasTimeFor(nanoseconds: number): boolean {
  if (nanoseconds > Math.min(DEFAULT_WORK_LIMIT, remainingWork())) return false;
  spendWork(nanoseconds);
  return true;
}
