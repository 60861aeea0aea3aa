import { bytesOf, decodeVariables } from '../../php/byte-string.ts';
import { isJsonContentType, phpContentType, wordpressContentType } from '../../php/content-type.ts';
import { asVariables, readJson } from '../../php/json.ts';
import { createMultipartReader } from '../../php/multipart.ts';
import { boundaryOf } from '../../php/multipart-header.ts';
import { NO_SOURCE, type Source, takesForm } from './parameters.ts';
import { type ReadVariables, readVariables } from './read-query.ts';
import { bodyTooLarge, invalidJson } from './refused.ts';
import type { Refused } from './result.ts';

/** What decides how a body is read. */
export interface SentBody {
  /** The method of the request line. */
  readonly sent: string;
  /** The method that the site runs. */
  readonly method: string;
  readonly contentType: string | null;
}

/** How much of a body the judge needs. */
export type Reading =
  /** Nothing: no parameter stands in it. */
  | { readonly kind: 'none' }
  /** All of it, which is then read at once. */
  | {
      readonly kind: 'whole';
      /** In bytes. */
      readonly limit: number;
      /** What a longer one is. */
      readonly tooLong: Refused;
      read(body: Uint8Array): BodyValues;
    }
  /** A form of parts, which is read as it comes by. */
  | { readonly kind: 'parts'; begin(): PartsReader };

export interface PartsReader {
  /** A piece of the body, not kept. */
  write(chunk: Uint8Array): void;
  end(): BodyValues;
}

/** What stands in a body; or what the site says of one that cannot be read; or more than anybody can tell. */
export type BodyValues =
  | { readonly kind: 'values'; readonly json: Source; readonly form: Source }
  | Refused
  /** With what a PHP of default settings reads. */
  | { readonly kind: 'unknown'; readonly json: Source; readonly form: Source };

export const NO_BODY: BodyValues = { kind: 'values', json: NO_SOURCE, form: NO_SOURCE };

/** Of which nothing is known. */
export const UNKNOWN_BODY: BodyValues = { kind: 'unknown', json: NO_SOURCE, form: NO_SOURCE };

/** In bytes: PHP's own `post_max_size`. What is longer a site of default settings does not read either. */
export const DEFAULT_BODY_LIMIT: number = 8 * 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const NOTHING: Reading = { kind: 'none' };

/**
 * How PHP and WordPress read a body: JSON by its media type, whatever the method; a form into `$_POST` where `POST` was
 * sent, and by WordPress itself where another method runs, also where no type was sent.
 */
export function planReading(
  { sent, method, contentType }: SentBody,
  limit: number = DEFAULT_BODY_LIMIT,
): Reading {
  if (method === 'OPTIONS') return NOTHING;
  if (sent === 'POST' && phpContentType(contentType) === MULTIPART) {
    // PHP has read it then, and there is no body for WordPress.
    return takesForm(method) ? readingOfParts(contentType ?? '', limit) : NOTHING;
  }
  const json = isJsonContentType(contentType);
  const form = formReader({ sent, method, contentType });
  if (!json && form === null) return NOTHING;
  return {
    kind: 'whole',
    limit,
    tooLong: bodyTooLarge(limit),
    read: (body) => readWhole(body, { json, form }),
  };
}

function readingOfParts(contentType: string, limit: number): Reading {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return NOTHING;
  if (boundary.length > MAX_BOUNDARY) return { kind: 'parts', begin: () => UNREAD };
  return {
    kind: 'parts',
    begin() {
      const reader = createMultipartReader(boundary, limit);
      return {
        write: reader.write,
        end() {
          const { variables, complete } = reader.end();
          return valuesOf(NO_SOURCE, { values: decodeVariables(variables), complete });
        },
      };
    },
  };
}

/** PHP reads no form with a longer boundary (FILLUNIT less "\r\n--"), but did so until 8.2.24 (CVE-2024-8925). */
const MAX_BOUNDARY = 5116;
const UNREAD: PartsReader = { write() {}, end: () => UNKNOWN_BODY };

/** Who reads a body as an urlencoded form: PHP, WordPress in its place, or nobody. */
function formReader({ sent, method, contentType }: SentBody): FormReader | null {
  if (!takesForm(method)) return null;
  if (sent === 'POST' && phpContentType(contentType) === URLENCODED) return 'php';
  const isForm = method !== 'POST' && (wordpressContentType(contentType) ?? URLENCODED) === URLENCODED;
  return isForm ? 'wordpress' : null;
}

type FormReader = 'php' | 'wordpress';

function readWhole(
  body: Uint8Array,
  by: { readonly json: boolean; readonly form: FormReader | null },
): BodyValues {
  if (body.length === 0) return NO_BODY;
  // WordPress asks whether there is a body by `empty()`.
  const empty = body.length === 1 && body[0] === 0x30;
  const reading = by.json && !empty ? readJson(body) : null;
  if (reading?.ok === false) return invalidJson(reading.fault);
  const hasForm = by.form === 'php' || (by.form === 'wordpress' && !empty);
  const form = readVariables(hasForm ? bytesOf(body) : '');
  return valuesOf(reading === null ? NO_SOURCE : asVariables(reading.value), form);
}

function valuesOf(json: Source, { values, complete }: ReadVariables): BodyValues {
  return { kind: complete ? 'values' : 'unknown', json, form: values };
}
