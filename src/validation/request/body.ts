import { isJsonContentType, toPhpContentType, toWordPressContentType } from '../../php/content-type.ts';
import { createMultipartReader } from '../../php/multipart.ts';
import { parseMultipartBoundary } from '../../php/multipart-header.ts';
import { estimateFieldsCost } from '../../php/parse-cost.ts';
import { phpArrayToJsonMembers } from '../../php/variables-to-json.ts';
import {
  type BodyParameters,
  TOO_COMPLEX_BODY_PARAMETERS,
  toBodyParameters,
  UNKNOWN_BODY_PARAMETERS,
} from './body-parameters.ts';
import {
  type BufferedBodyReader,
  createBufferedBodyReader,
  type FormParser,
  hasTimeFor,
} from './buffered-body.ts';
import { acceptsForm, NO_PARAMETERS } from './parameters.ts';
import { bodyTooLargeError, type InvalidRequest } from './result.ts';

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
      /** Creates the reader of one body, which estimates the time of parsing while the chunks arrive. */
      createReader(): BufferedBodyReader;
      /** Parses a body that is complete. */
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
  const createReader = (): BufferedBodyReader => createBufferedBodyReader({ isJson, formParser });
  return {
    kind: 'buffered',
    limit,
    tooLargeError: bodyTooLargeError(limit),
    createReader,
    parse(body) {
      const reader = createReader();
      reader.write(body);
      return reader.end(body);
    },
  };
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
          const { hasLongHeader, isComplete, variables } = reader.end();
          if (hasLongHeader || !hasTimeFor(estimateFieldsCost(reader.retainedBytes))) {
            return TOO_COMPLEX_BODY_PARAMETERS;
          }
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
