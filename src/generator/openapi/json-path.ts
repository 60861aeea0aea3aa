import { createRequire } from 'node:module';
import type { JSONValue } from 'json-p3';
import type { Json } from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import type { Steps } from '../../base/steps.ts';
import type { JsonLocation } from './document-objects.ts';

export type JsonPathSelection =
  | { readonly ok: true; readonly locations: readonly JsonLocation[] }
  | { readonly ok: false; readonly reason: string };

const MAX_DEPTH = 500;
/** Loads on first need: it takes longer to load than a gateway to start. */
const loadJsonP3 = (): typeof import('json-p3') => createRequire(import.meta.url)('json-p3');

/** Each place is a step. The operator writes queries (RFC 9535), so their cost is unlimited. */
export function* evaluateJsonPath(root: Json, query: string): Steps<JsonPathSelection> {
  const { JSONPathEnvironment, JSONPathLexerError } = loadJsonP3();
  try {
    const path = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH }).compile(query);
    const places = createPlaces();
    const locations: JsonLocation[] = [];
    // json-p3 doesn't write to the value.
    for (const { location } of path.lazyQuery(root as JSONValue)) {
      const place = placeAt(places, location);
      if (!place.isSelected) locations.push(location);
      place.isSelected = true;
      yield;
    }
    return { ok: true, locations };
  } catch (error) {
    if (error instanceof JSONPathLexerError) return { ok: false, reason: 'the query is incomplete' };
    // Nested queries can exhaust the parser's stack: a RangeError.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

export interface Places {
  isSelected: boolean;
  readonly below: Map<string | number, Places>;
}

export const createPlaces = (): Places => ({ isSelected: false, below: new Map() });

export function placeAt(root: Places, location: JsonLocation): Places {
  return location.reduce((at, token) => getOrCreate(at.below, token, createPlaces), root);
}

/** The normalized path (RFC 9535 §2.7), with shorthand names. */
export function toJsonPath(location: JsonLocation): string {
  return `$${location.map((token) => (typeof token === 'number' ? `[${token}]` : nameSegment(token))).join('')}`;
}

/** A query for a string of a list by value, so that it survives changes of the list. */
export function toListItemPath(list: JsonLocation, text: string): string {
  return `${toJsonPath(list)}[?@ == ${toJsonPathString(text)}]`;
}

function nameSegment(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${toJsonPathString(name)}]`;
}

function toJsonPathString(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
