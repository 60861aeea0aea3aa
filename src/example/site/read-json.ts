import { isJsonObject, type Json } from '../../json.ts';
import { refuse } from './answers.ts';
import type { SiteError } from './declare.ts';

/** PHP's codes and words for what is wrong with JSON (`json_last_error`). */
const FAULTS = {
  depth: [1, 'Maximum stack depth exceeded'],
  syntax: [4, 'Syntax error'],
  utf8: [5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
  utf16: [10, 'Single unpaired UTF-16 surrogate in unicode escape'],
} as const;

/** `json_decode()` goes no deeper: the 512th bracket is one too many. */
const MAX_DEPTH = 511;

/** The members of a JSON body; none where it is empty. A refusal where it is no JSON. */
export function readJson(body: Uint8Array): ReadonlyMap<string, Json> | SiteError {
  // `empty( "0" )`
  if (body.length === 0 || (body.length === 1 && body[0] === 0x30)) return new Map();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return invalid('utf8');
  }
  if (depthOf(text) > MAX_DEPTH) return invalid('depth');
  try {
    const value: Json = JSON.parse(text);
    // JSON.stringify() writes an escape for a lone surrogate alone.
    if (/\\ud[89a-f]/i.test(text) && /\\ud[89a-f]/.test(JSON.stringify(value))) return invalid('utf16');
    return new Map(asArray(value));
  } catch {
    return invalid('syntax');
  }
}

/** `(array)` of what was decoded: a scalar is the first item of a list. */
function asArray(value: Json): readonly (readonly [string, Json])[] {
  if (value === null) return [];
  return isJsonObject(value) || Array.isArray(value) ? Object.entries<Json>(value) : [['0', value]];
}

function invalid(fault: keyof typeof FAULTS): SiteError {
  const [code, message] = FAULTS[fault];
  return refuse(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  });
}

/** The deepest nesting, found in one pass without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (quoted) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return deepest;
}
