import { phpArrayToJson, toByteString } from '../../php/byte-string.ts';
import { isJsonContentType, toPhpContentType, toWordPressContentType } from '../../php/content-type.ts';
import { decodePhpJson, toJsonVariables } from '../../php/json.ts';
import { createMultipartReader } from '../../php/multipart.ts';
import { parseMultipartBoundary } from '../../php/multipart-header.ts';
import { acceptsForm, NO_PARAMETERS, type ParameterSource } from './parameters.ts';
import { type ParsedVariables, parseVariables } from './read-query.ts';
import { bodyTooLargeError, invalidJsonError } from './refused.ts';
import type { InvalidRequest } from './result.ts';

/** What decides how a body is read. */
export interface BodyDescription {
  /** The method of the request line. */
  readonly requestMethod: string;
  /** The method that the site runs. */
  readonly method: string;
  readonly contentType: string | null;
}

/** How much of a body the judge needs. */
export type BodyPlan =
  /** Nothing: no parameter stands in it. */
  | { readonly kind: 'none' }
  /** All of it, which is then read at once. */
  | {
      readonly kind: 'whole';
      /** In bytes. */
      readonly limit: number;
      /** What a longer one is. */
      readonly tooLargeError: InvalidRequest;
      parse(body: Uint8Array): BodyParameters;
    }
  /** A form of parts, which is read as it comes by. */
  | { readonly kind: 'parts'; createReader(): MultipartBodyReader };

export interface MultipartBodyReader {
  /** A piece of the body, not kept. */
  write(chunk: Uint8Array): void;
  end(): BodyParameters;
}

/** What stands in a body; or what the site says of one that cannot be read; or more than anybody can tell. */
export type BodyParameters =
  | { readonly kind: 'values'; readonly json: ParameterSource; readonly form: ParameterSource }
  | InvalidRequest
  /** With what a PHP of default settings reads. */
  | { readonly kind: 'unknown'; readonly json: ParameterSource; readonly form: ParameterSource };

export const NO_BODY_PARAMETERS: BodyParameters = {
  kind: 'values',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** Of which nothing is known. */
export const UNKNOWN_BODY_PARAMETERS: BodyParameters = {
  kind: 'unknown',
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
};

/** In bytes: PHP's own `post_max_size`. What is longer a site of default settings does not read either. */
export const DEFAULT_BODY_LIMIT: number = 8 * 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const IGNORED_BODY: BodyPlan = { kind: 'none' };

/**
 * How PHP and WordPress read a body: JSON by its media type, whatever the method; a form into `$_POST` where `POST` was
 * sent, and by WordPress itself where another method runs, also where no type was sent.
 */
export function planBody(
  { requestMethod, method, contentType }: BodyDescription,
  limit: number = DEFAULT_BODY_LIMIT,
): BodyPlan {
  if (method === 'OPTIONS') return IGNORED_BODY;
  if (requestMethod === 'POST' && toPhpContentType(contentType) === MULTIPART) {
    // PHP has read it then, and there is no body for WordPress.
    return acceptsForm(method) ? planMultipart(contentType ?? '', limit) : IGNORED_BODY;
  }
  const json = isJsonContentType(contentType);
  const form = selectFormParser({ requestMethod, method, contentType });
  if (!json && form === null) return IGNORED_BODY;
  return {
    kind: 'whole',
    limit,
    tooLargeError: bodyTooLargeError(limit),
    parse: (body) => parseBody(body, { json, form }),
  };
}

function planMultipart(contentType: string, limit: number): BodyPlan {
  const boundary = parseMultipartBoundary(contentType);
  if (boundary === null) return IGNORED_BODY;
  if (boundary.length > MAX_BOUNDARY_LENGTH) return { kind: 'parts', createReader: () => UNPARSED };
  return {
    kind: 'parts',
    createReader() {
      const reader = createMultipartReader(boundary, limit);
      return {
        write: reader.write,
        end() {
          const { variables, complete } = reader.end();
          return toBodyParameters(NO_PARAMETERS, { values: phpArrayToJson(variables), complete });
        },
      };
    },
  };
}

/** PHP reads no form with a longer boundary (FILLUNIT less "\r\n--"), but did so until 8.2.24 (CVE-2024-8925). */
const MAX_BOUNDARY_LENGTH = 5116;
const UNPARSED: MultipartBodyReader = { write() {}, end: () => UNKNOWN_BODY_PARAMETERS };

/** Who reads a body as an urlencoded form: PHP, WordPress in its place, or nobody. */
function selectFormParser({ requestMethod, method, contentType }: BodyDescription): FormParser | null {
  if (!acceptsForm(method)) return null;
  if (requestMethod === 'POST' && toPhpContentType(contentType) === URLENCODED) return 'php';
  const isForm = method !== 'POST' && (toWordPressContentType(contentType) ?? URLENCODED) === URLENCODED;
  return isForm ? 'wordpress' : null;
}

type FormParser = 'php' | 'wordpress';

function parseBody(
  body: Uint8Array,
  by: { readonly json: boolean; readonly form: FormParser | null },
): BodyParameters {
  if (body.length === 0) return NO_BODY_PARAMETERS;
  // WordPress asks whether there is a body by `empty()`.
  const empty = body.length === 1 && body[0] === 0x30;
  const reading = by.json && !empty ? decodePhpJson(body) : null;
  if (reading?.ok === false) return invalidJsonError(reading.error);
  const hasForm = by.form === 'php' || (by.form === 'wordpress' && !empty);
  const form = parseVariables(hasForm ? toByteString(body) : '');
  return toBodyParameters(reading === null ? NO_PARAMETERS : toJsonVariables(reading.value), form);
}

function toBodyParameters(json: ParameterSource, { values, complete }: ParsedVariables): BodyParameters {
  return { kind: complete ? 'values' : 'unknown', json, form: values };
}
