import { isJsonObject, type Json, jsonItems, matchesExample, memberAt } from '../../json.ts';
import { isJsonMediaType, type OriginResponseSummary, PRE_VALIDATION_CODES } from './origin-verdict.ts';

/** An error of the origin: the code and the status of a response. */
export interface SeenError {
  readonly status: number;
  readonly code: string;
}

/** How often an error was seen. */
export interface SeenErrorStats extends SeenError {
  count: number;
}

/** The counts by status and code, and how much of each the other processes of the gateway know. */
export type SeenErrors = Map<string, SeenErrorStats>;

/** Limits of memory. */
const MAX_ERRORS = 32;
const MAX_CODE_LENGTH = 64;

/** Responses from which an error counts as one of the operation. */
const LEAST_SIGHTINGS = 3;

/** A word of a code: letters with a few digits, or a small number. Keys, hashes, dates and ids are none. */
const WORD = /^(?:\d{0,2}[a-z]{1,30}\d{0,3}|\d{1,4})$/;

function isErrorCode(code: Json | undefined): code is string {
  if (typeof code !== 'string' || code.length > MAX_CODE_LENGTH || !/^[a-z]/.test(code)) return false;
  return code.split('_').every((word) => WORD.test(word));
}

export interface RequestText {
  /** What the client chose; `null` if a part of it is not known. */
  readonly sent: string | null;
  /** What the site's index states: the pattern of the route, the names of parameters. */
  readonly stated: string;
}

/** Shortest word of a client that is looked for within words of a code. */
const LEAST_WORD_LENGTH = 4;

const toWords = (text: string): readonly string[] => text.toLowerCase().split(/[^a-z0-9]+/);

/**
 * Whether a plugin may have made a code from what the client sent, as `'no_' . sanitize_key( $name )` does. The
 * documentation is public, so no client may write into it.
 */
function isMadeFrom(code: string, { sent, stated }: RequestText): boolean {
  const plain = sent?.normalize('NFKD').replace(/\p{M}/gu, '');
  // `remove_accents()` writes other letters in ASCII, in ways that are not known here.
  if (plain === undefined || /[^\P{L}a-zA-Z]/u.test(plain)) return true;
  const decoded = plain.replace(/%([0-7][0-9a-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const sentWords = toWords(`${plain} ${decoded}`);
  const joined = sentWords.join('');
  const statedWords = toWords(stated).join(' ');
  return code.split('_').some((word) => {
    if (statedWords.includes(word)) return false;
    return (
      joined.includes(word) ||
      sentWords.some((each) => each.length >= LEAST_WORD_LENGTH && word.includes(each))
    );
  });
}

/**
 * Reads the error of a response: that of `rest_convert_error_to_response()`, whose `data` states the status of the response.
 *
 * @param getText called for an error only
 * @returns `null` for another response, for an error that WordPress or a plugin sends before any operation, and for a code
 *   with a word that the client sent and the site does not state
 */
export function readSeenError(summary: OriginResponseSummary, getText: () => RequestText): SeenError | null {
  const { body, mediaType, status } = summary;
  if (status < 400 || status > 599 || !isJsonMediaType(mediaType) || !isJsonObject(body)) return null;
  const { code, data, message } = body;
  if (typeof message !== 'string' || !isErrorCode(code) || PRE_VALIDATION_CODES.has(code)) return null;
  // An error without a status has status 500.
  const stated = isJsonObject(data) ? data['status'] : undefined;
  if ((stated ?? 500) !== status || code === 'rest_no_route' || isMadeFrom(code, getText())) return null;
  return { status, code };
}

/**
 * Returns the count of an error, created if necessary. A full list forgets the error that was seen most seldom.
 *
 * @returns `undefined` if the list is full of errors that were seen often enough
 */
export function getSeenError(errors: SeenErrors, { code, status }: SeenError): SeenErrorStats | undefined {
  const key = `${status} ${code}`;
  const known = errors.get(key);
  if (known !== undefined) return known;
  if (errors.size >= MAX_ERRORS) {
    const [rarest, { count }] = [...errors].reduce((one, other) =>
      other[1].count < one[1].count ? other : one,
    );
    if (count >= LEAST_SIGHTINGS) return undefined;
    errors.delete(rarest);
  }
  const created = { status, code, count: 0 };
  errors.set(key, created);
  return created;
}

export function listErrors(errors: SeenErrors): readonly SeenErrorStats[] {
  return Array.from(errors.values(), ({ code, count, status }) => ({ status, code, count }));
}

/** Lists the errors that were seen often enough, by status and code. */
export function listSeenErrors(errors: SeenErrors | undefined): readonly SeenErrorStats[] {
  return listErrors(errors ?? new Map())
    .filter(({ count }) => count >= LEAST_SIGHTINGS)
    .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1));
}

/** The errors of an operation, by its method and the site's route pattern. */
export interface OperationErrors {
  readonly method: string;
  readonly route: string;
  readonly errors: readonly SeenErrorStats[];
}

/** Reads the errors of operations from a report of unknown origin. */
export function parseOperationErrors(operations: Json | undefined): readonly OperationErrors[] {
  return jsonItems(operations).flatMap((operation) => {
    if (!matchesExample(operation, { method: '', route: '' })) return [];
    const { method, route } = operation;
    return [{ method, route, errors: parseSeenErrors(memberAt(operation, 'errors')) }];
  });
}

/** Reads stored or reported errors of unknown origin. Entries that are none are left out. */
export function parseSeenErrors(errors: Json | undefined): readonly SeenErrorStats[] {
  return jsonItems(errors)
    .slice(0, MAX_ERRORS)
    .filter((error) => matchesExample(error, { status: 0, code: '', count: 0 }))
    .filter(({ code, count, status }) => {
      const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
      return isStatus && isErrorCode(code) && Number.isSafeInteger(count) && count > 0;
    })
    .map(({ code, count, status }) => ({ status, code, count }));
}
