import { phpArrayToJsonMembers, toByteString } from '../../php/byte-string.ts';
import { isJsonContentType, toPhpContentType, toWordPressContentType } from '../../php/content-type.ts';
import { castJsonToArray, decodePhpJson } from '../../php/json.ts';
import { findDepthError } from '../../php/json-error.ts';
import { createMultipartReader } from '../../php/multipart.ts';
import { parseMultipartBoundary } from '../../php/multipart-header.ts';
import { estimateFieldsCost, estimateFormCost, estimateJsonCost } from '../../php/parse-cost.ts';
import { DEFAULT_WORK_LIMIT, remainingWork, spendWork } from '../wordpress/index.ts';
import {
  acceptsForm,
  NO_PARAMETERS,
  type ParameterSource,
  type ParsedVariables,
  parseVariables,
} from './parameters.ts';
import { bodyTooLargeError, type InvalidRequest, invalidJsonError } from './result.ts';

/** The parts of a request's head that decide how its body is parsed. */
export interface BodyHead {
  /** The method of the request line. */
  readonly requestMethod: string;
  /** The method that the site runs, after an override. */
  readonly method: string;
  readonly contentType: string | null;
}

/** How the parameters of a body are parsed. */
export type BodyPlan =
  /** The body has no parameters. */
  | { readonly kind: 'ignored' }
  /** The body is buffered, and then parsed. */
  | {
      readonly kind: 'buffered';
      /** Maximum length in bytes. */
      readonly limit: number;
      /** The error for a longer body. */
      readonly tooLargeError: InvalidRequest;
      /** Parses the body; {@link TOO_COMPLEX_BODY_PARAMETERS} if that would block the event loop for too long. */
      parse(body: Uint8Array): BodyParameters;
    }
  /** The body is `multipart/form-data`, which is parsed while it streams. */
  | { readonly kind: 'multipart'; createReader(): MultipartBodyReader };

export interface MultipartBodyReader {
  /** Bytes of the names and values so far. */
  readonly retainedBytes: number;
  /** Parses a chunk and does not retain it. */
  write(chunk: Uint8Array): void;
  end(): BodyParameters;
}

/** The parameters of a body, or the error that the site sends because it cannot parse the body. */
export type BodyParameters =
  | { readonly kind: 'complete'; readonly json: ParameterSource; readonly form: ParameterSource }
  | InvalidRequest
  /** The site may parse more or other parameters. These are the ones that PHP with default settings parses. */
  | { readonly kind: 'uncertain'; readonly json: ParameterSource; readonly form: ParameterSource };

export const NO_BODY_PARAMETERS: BodyParameters = {
  kind: 'complete',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** The parameters of a body that sites may parse differently. */
export const UNKNOWN_BODY_PARAMETERS: BodyParameters = {
  kind: 'uncertain',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** The parameters of a body that would take too long to parse (`php/parse-cost.ts`). */
export const TOO_COMPLEX_BODY_PARAMETERS: BodyParameters = {
  kind: 'uncertain',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** PHP's default `post_max_size` in bytes. A site with default settings does not parse a longer body. */
export const DEFAULT_BODY_LIMIT: number = 8 * 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const IGNORED_BODY: BodyPlan = { kind: 'ignored' };

/**
 * Plans how a body is parsed, as PHP and WordPress do it.
 *
 * - WordPress parses JSON by its media type, whatever the method.
 * - PHP parses a form into `$_POST` when the method of the request line is `POST`.
 * - WordPress parses an urlencoded form when another method runs, also when there is no media type.
 *
 * @param limit in bytes
 */
export function planBody(
  { requestMethod, method, contentType }: BodyHead,
  limit: number = DEFAULT_BODY_LIMIT,
): BodyPlan {
  if (method === 'OPTIONS') return IGNORED_BODY;
  if (requestMethod === 'POST' && toPhpContentType(contentType) === MULTIPART) {
    // PHP has consumed the body, so WordPress has none to parse.
    return acceptsForm(method) ? planMultipart(contentType ?? '', limit) : IGNORED_BODY;
  }
  const isJson = isJsonContentType(contentType);
  const formParser = selectFormParser({ requestMethod, method, contentType });
  if (!isJson && formParser === null) return IGNORED_BODY;
  const parser: BodyParser = { isJson, formParser };
  return {
    kind: 'buffered',
    limit,
    tooLargeError: bodyTooLargeError(limit),
    parse: (body) => parseBodyOnce(body, parser),
  };
}

/** The parameters of bodies that are still in use: validation and cache invalidation parse the same body in a row. */
const parsedBodies = new WeakMap<
  Uint8Array,
  { readonly parser: BodyParser; readonly parameters: BodyParameters; readonly work: number }
>();

function parseBodyOnce(body: Uint8Array, parser: BodyParser): BodyParameters {
  const known = parsedBodies.get(body);
  if (known?.parser.isJson === parser.isJson && known.parser.formParser === parser.formParser) {
    // The work was done within the same task of the event loop.
    spendWork(known.work);
    return known.parameters;
  }
  const work = estimateWork(body, parser);
  const parameters = hasTimeFor(work) ? parseBody(body, parser) : skipBody(body, parser);
  parsedBodies.set(body, { parser, parameters, work });
  return parameters;
}

function planMultipart(contentType: string, limit: number): BodyPlan {
  const boundary = parseMultipartBoundary(contentType);
  if (boundary === null) return IGNORED_BODY;
  if (boundary.length > MAX_BOUNDARY_LENGTH) return { kind: 'multipart', createReader: () => UNPARSED };
  return {
    kind: 'multipart',
    createReader() {
      const reader = createMultipartReader(boundary, limit);
      return {
        get retainedBytes() {
          return reader.retainedBytes;
        },
        write: reader.write,
        end() {
          const { variables, isComplete } = reader.end();
          if (!hasTimeFor(estimateFieldsCost(reader.retainedBytes))) return TOO_COMPLEX_BODY_PARAMETERS;
          return toBodyParameters(NO_PARAMETERS, { values: phpArrayToJsonMembers(variables), isComplete });
        },
      };
    },
  };
}

/** PHP parses no form with a longer boundary (FILLUNIT less "\r\n--"). It did until 8.2.24 (CVE-2024-8925). */
const MAX_BOUNDARY_LENGTH = 5116;
const UNPARSED: MultipartBodyReader = { retainedBytes: 0, write() {}, end: () => UNKNOWN_BODY_PARAMETERS };

/** Selects what parses the body as an urlencoded form; `null` when neither PHP nor WordPress does. */
function selectFormParser({ requestMethod, method, contentType }: BodyHead): FormParser | null {
  if (!acceptsForm(method)) return null;
  if (requestMethod === 'POST' && toPhpContentType(contentType) === URLENCODED) return 'php';
  const isForm = method !== 'POST' && (toWordPressContentType(contentType) ?? URLENCODED) === URLENCODED;
  return isForm ? 'wordpress' : null;
}

type FormParser = 'php' | 'wordpress';

/** What the site parses a body as. */
interface BodyParser {
  readonly isJson: boolean;
  readonly formParser: FormParser | null;
}

function estimateWork(body: Uint8Array, { isJson, formParser }: BodyParser): number {
  const limit = Math.min(DEFAULT_WORK_LIMIT, remainingWork());
  return (
    (isJson ? estimateJsonCost(body, limit) : 0) + (formParser === null ? 0 : estimateFormCost(body, limit))
  );
}

/** Returns the error of JSON that nests too deep, which one pass over the bytes shows. */
function skipBody(body: Uint8Array, { isJson }: BodyParser): BodyParameters {
  const error = isJson ? findDepthError(body) : null;
  return error === null ? TOO_COMPLEX_BODY_PARAMETERS : invalidJsonError(error);
}

function parseBody(body: Uint8Array, { isJson, formParser }: BodyParser): BodyParameters {
  if (body.length === 0) return NO_BODY_PARAMETERS;
  // WordPress tests the body with PHP's `empty()`, which is true for "0".
  const isEmpty = body.length === 1 && body[0] === 0x30;
  const decoded = isJson && !isEmpty ? decodePhpJson(body) : null;
  if (decoded?.ok === false) return invalidJsonError(decoded.error);
  const hasForm = formParser === 'php' || (formParser === 'wordpress' && !isEmpty);
  const form = parseVariables(hasForm ? toByteString(body) : '');
  return toBodyParameters(decoded === null ? NO_PARAMETERS : castJsonToArray(decoded.value), form);
}

/** Whether the work limit of the request, or the default one, leaves time; counts the work if it does. */
function hasTimeFor(nanoseconds: number): boolean {
  if (nanoseconds > Math.min(DEFAULT_WORK_LIMIT, remainingWork())) return false;
  spendWork(nanoseconds);
  return true;
}

function toBodyParameters(json: ParameterSource, { values, isComplete }: ParsedVariables): BodyParameters {
  return { kind: isComplete ? 'complete' : 'uncertain', json, form: values };
}
