import {
  type FilterFunction,
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathLexerError,
  type JSONValue,
} from 'json-p3';
import type { Json } from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import { compilePattern, type PatternMatcher } from '../pcre/index.ts';
import type { Steps } from '../steps.ts';
import type { JsonLocation } from './document-references.ts';

/** The locations that a query selects, each once, or the reason why the query cannot be evaluated. */
export type JsonPathSelection =
  | { readonly ok: true; readonly locations: readonly JsonLocation[] }
  | { readonly ok: false; readonly reason: string };

/** Maximum number of nodes that a query selects, duplicates included. Several `..` segments can multiply them. */
const MAX_NODES = 100_000;
/** Maximum number of members and items that are read: filters within filters, and several `..`, multiply them without selecting any. */
const MAX_READS = 1_000_000;
/** Maximum nesting that `..` descends into. */
const MAX_DEPTH = 500;

/**
 * Evaluates a JSONPath query (RFC 9535) with the library json-p3, in steps of one place that is found.
 *
 * @param maxReads members and items that it may read
 */
export function* evaluateJsonPath(
  root: Json,
  query: string,
  maxReads: number = MAX_READS,
): Steps<JsonPathSelection> {
  try {
    const path = createEnvironment().compile(query);
    const places = createPlaces();
    const locations: JsonLocation[] = [];
    let nodes = 0;
    // json-p3 does not write to the value: its type is only not declared as readonly.
    for (const { location } of path.lazyQuery(countReads(root, maxReads) as JSONValue)) {
      nodes += 1;
      if (nodes > MAX_NODES) return { ok: false, reason: `the query selects more than ${MAX_NODES} places` };
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

/** Returns the place of a location, which is created if it is missing. */
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

/** Wraps a value, so that reading it ends with an error once it takes too long. */
function countReads(root: Json, max: number): unknown {
  let reads = 0;
  const wrapped = new Map<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    // A copy, because a proxy of a frozen value must return its very members.
    const proxy = wrapped.get(value) ?? new Proxy(Array.isArray(value) ? [...value] : { ...value }, { get });
    wrapped.set(value, proxy);
    return proxy;
  };
  const get = (target: object, name: string | symbol): unknown => {
    reads += 1;
    if (reads > max) throw new Error(`the query takes too long: it reads more than ${max} members and items`);
    return wrap(Reflect.get(target, name));
  };
  return wrap(root);
}

function createEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH });
  // The library's own `match` and `search` run on backtracking: `(a*)*b` takes seconds for 27 characters.
  environment.functionRegister.set(
    'match',
    createPatternFunction((pattern) => `\\A(?:${pattern})\\z`),
  );
  environment.functionRegister.set(
    'search',
    createPatternFunction((pattern) => pattern),
  );
  return environment;
}

/** A filter function that matches in linear time. A pattern that cannot be matched exactly ends the evaluation. */
function createPatternFunction(toPcre: (pattern: string) => string): FilterFunction {
  const matchers = new Map<string, PatternMatcher>();
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(value: unknown, pattern: unknown): boolean {
      if (typeof value !== 'string' || typeof pattern !== 'string') return false;
      const matcher = getOrCreate(matchers, pattern, () => compilePattern(toPcre(withIRegexpDots(pattern))));
      if (!matcher.exact) throw new Error(`the pattern ${JSON.stringify(pattern)} is not supported`);
      return matcher.test(value);
    },
  };
}

/** In an I-Regexp `.` matches neither line feed nor carriage return (RFC 9485 §5.4); in PCRE it matches the latter. */
function withIRegexpDots(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part));
}
