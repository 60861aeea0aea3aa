import { JSONPathEnvironment, JSONPathLexerError, type JSONValue } from 'json-p3';
import type { Json } from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import type { Steps } from '../steps.ts';
import type { JsonLocation } from './document-references.ts';

/** The locations that a query selects, each once, or the reason why the query cannot be evaluated. */
export type JsonPathSelection =
  | { readonly ok: true; readonly locations: readonly JsonLocation[] }
  | { readonly ok: false; readonly reason: string };

/** Maximum nesting that `..` descends into. */
const MAX_DEPTH = 500;

/**
 * Evaluates a JSONPath query (RFC 9535) with the library json-p3, in steps of one place that is found. Queries come from the operator's
 * own overlay, so their cost is not limited.
 */
export function* evaluateJsonPath(root: Json, query: string): Steps<JsonPathSelection> {
  try {
    const path = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH }).compile(query);
    const places = createPlaces();
    const locations: JsonLocation[] = [];
    // json-p3 does not write to the value: its type is only not declared as readonly.
    for (const { location } of path.lazyQuery(root as JSONValue)) {
      const place = placeAt(places, location);
      if (!place.isSelected) locations.push(location);
      place.isSelected = true;
      yield;
    }
    return { ok: true, locations };
  } catch (error) {
    // The lexer reports an unexpected end of the query as an internal error ("can't backup").
    if (error instanceof JSONPathLexerError) return { ok: false, reason: 'the query is incomplete' };
    // Deeply nested queries exhaust the stack of its parser: a RangeError.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a value is selected, and the places below it by the tokens that lead there. Unlike texts of locations, they share long names. */
export interface Places {
  isSelected: boolean;
  readonly below: Map<string | number, Places>;
}

export const createPlaces = (): Places => ({ isSelected: false, below: new Map() });

export function placeAt(root: Places, location: JsonLocation): Places {
  return location.reduce((at, token) => getOrCreate(at.below, token, createPlaces), root);
}

/** The normalized path of a location (RFC 9535 §2.7), with the shorthand for names that have one. */
export function toJsonPath(location: JsonLocation): string {
  return `$${location.map((token) => (typeof token === 'number' ? `[${token}]` : nameSegment(token))).join('')}`;
}

/** Returns a query for a string of a list by its value. It selects the same string after the list has changed. */
export function toListItemPath(list: JsonLocation, text: string): string {
  return `${toJsonPath(list)}[?@ == ${toJsonPathString(text)}]`;
}

function nameSegment(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${toJsonPathString(name)}]`;
}

/** A string literal in single quotes (RFC 9535 §2.3.1.1): JSON's escapes, and `\'`. */
function toJsonPathString(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
