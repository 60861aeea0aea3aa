import { urlDecode } from '../php/encoding.ts';
import { MAX_INPUT_VARS, parseQueryPairs, parseVariableName, type QueryPair } from '../php/query.ts';
import type { TargetRefusalReason } from './refusals.ts';

/** The variables of a query that change what the rest of the request means. */
export interface RoutingVariables {
  readonly route: RoutingVariable;
  readonly method: RoutingVariable;
  /** The query without every spelling of `rest_route`, otherwise byte for byte. */
  readonly query: string;
  /** Where in `query` the first `rest_route` stood: an offset. Null where there is none. */
  readonly routeOffset: number | null;
}

/** What PHP reads for one of them. */
export interface RoutingVariable {
  /** The last value, decoded; null where there is none. */
  readonly value: string | null;
  /** Why it cannot be read in one way only. */
  readonly refusal: TargetRefusalReason | null;
}

const ABSENT: RoutingVariable = { value: null, refusal: null };

/** Names that PHP mangles into a control's, unencoded. A query with a `%` is read in full. */
const POSSIBLE_ROUTING_VARIABLE = /%|[._]method|rest[._ +[]route/;

export function readRoutingVariables(query: string): RoutingVariables {
  if (!POSSIBLE_ROUTING_VARIABLE.test(query))
    return { route: ABSENT, method: ABSENT, query, routeOffset: null };
  const pairs = parseQueryPairs(query);
  const route = readRoutingVariable(pairs, 'rest_route', 'route-array');
  const method = readRoutingVariable(pairs, '_method', 'method-array');
  if (route.value === null) return { route, method, query, routeOffset: null };
  const isOther = (pair: QueryPair): boolean => pair.name !== 'rest_route';
  const before = joinPairs(
    pairs.slice(
      0,
      pairs.findIndex((pair) => !isOther(pair)),
    ),
  );
  return { route, method, query: joinPairs(pairs.filter(isOther)), routeOffset: before.length };
}

function joinPairs(pairs: readonly QueryPair[]): string {
  return pairs.map((pair) => pair.raw).join('&');
}

function readRoutingVariable(
  pairs: readonly QueryPair[],
  name: string,
  arrayRefusal: TargetRefusalReason,
): RoutingVariable {
  let value: string | null = null;
  let refusal: TargetRefusalReason | null = null;
  for (const [position, pair] of pairs.entries()) {
    // arg_separator.input is "&" by default, and ";&" on some sites.
    if (pair.raw.includes(';') && pair.raw.split(';').slice(1).some(hasVariableName(name)))
      refusal ??= 'control-semicolon';
    if (pair.name !== name) continue;
    // An array makes WordPress die with a type error; one that a later string replaces is not worth the doubt.
    if (pair.isArray) refusal ??= arrayRefusal;
    // One less than PHP reads, because rest_route may be put in front.
    if (position >= MAX_INPUT_VARS - 1) refusal ??= 'control-late';
    value = urlDecode(pair.value);
  }
  return value === null && refusal === null ? ABSENT : { value, refusal };
}

function hasVariableName(name: string): (piece: string) => boolean {
  return (piece) => parseVariableName(piece.split('=', 1)[0] ?? '').name === name;
}
