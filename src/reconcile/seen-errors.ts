import { isJsonObject, type Json } from '../json.ts';
import {
  isJsonMediaType,
  type OriginResponseSummary,
  PRE_VALIDATION_CODES,
} from '../validation/evidence/origin-verdict.ts';

/** The code of an error that the site has sent, by the method and the site's route pattern. */
export interface SeenError {
  readonly method: string;
  readonly route: string;
  readonly code: string;
}

const MAX_CODE_LENGTH = 64;

/** A word of a code: letters with a few digits, or a small number. Keys, hashes, dates and ids are none. */
const WORD = /^(?:\d{0,2}[a-z]{1,30}\d{0,3}|\d{1,4})$/;

function isErrorCode(code: Json | undefined): code is string {
  if (typeof code !== 'string' || code.length > MAX_CODE_LENGTH || !/^[a-z]/.test(code)) return false;
  return code.split('_').every((word) => WORD.test(word));
}

/** The text of a request. */
interface RequestText {
  readonly sent: string;
  /** What the site's index states: the pattern of the route, the names of parameters. */
  readonly stated: string;
}

/** Shortest word of a request that is looked for within words of a code. */
const LEAST_WORD_LENGTH = 4;

const toWords = (text: string): readonly string[] => text.toLowerCase().split(/[^a-z0-9]+/);

/**
 * Whether a plugin may have made a code from what was sent, as `'no_' . sanitize_key( $name )` does. Such a code says nothing
 * about other requests, and an overlay contains no values.
 */
function isMadeFrom(code: string, { sent, stated }: RequestText): boolean {
  const plain = sent.normalize('NFKD').replace(/\p{M}/gu, '');
  // `remove_accents()` writes other letters in ASCII, in ways that are not known here.
  if (/[^\P{L}a-zA-Z]/u.test(plain)) return true;
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
 * Reads the code of an error: that of `rest_convert_error_to_response()`, whose `data` states the status of the response.
 *
 * @returns `null` for another response, for an error that WordPress or a plugin sends before any operation, and for a code
 *   with a word that was sent and the site does not state
 */
export function readSeenCode(summary: OriginResponseSummary, text: RequestText): string | null {
  const { body, mediaType, status } = summary;
  if (status < 400 || status > 599 || !isJsonMediaType(mediaType) || !isJsonObject(body)) return null;
  const { code, data, message } = body;
  if (typeof message !== 'string' || !isErrorCode(code) || PRE_VALIDATION_CODES.has(code)) return null;
  // An error without a status has status 500.
  const stated = isJsonObject(data) ? data['status'] : undefined;
  if ((stated ?? 500) !== status || code === 'rest_no_route' || isMadeFrom(code, text)) return null;
  return code;
}
