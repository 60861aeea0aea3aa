import { urlDecode } from '../php/encoding.ts';
import { MAX_INPUT_VARS, parseQueryPairs, parseVariableName, type QueryPair } from '../php/query.ts';
import type { TargetRefusalReason } from './target-refusals.ts';

/** The query variables that select what WordPress runs: `rest_route` and `_method`. */
export interface RoutingVariables {
  readonly route: RoutingVariable;
  readonly method: RoutingVariable;
  /** The query without all spellings of `rest_route`, otherwise byte for byte. */
  readonly queryWithoutRoute: string;
  /** Offset in `query` of the first `rest_route`; `null` if there is none. */
  readonly routeOffset: number | null;
}

/** A routing variable as PHP reads it. */
export interface RoutingVariable {
  /** The last value, decoded; `null` if the variable is absent. */
  readonly value: string | null;
  /** The reason why the variable is ambiguous; `null` if it is not. */
  readonly refusalReason: TargetRefusalReason | null;
}

const ABSENT: RoutingVariable = { value: null, refusalReason: null };

/** Matches queries that may hold a routing variable under a name that PHP mangles. Any `%` matches too. */
const POSSIBLE_ROUTING_VARIABLE = /%|[._]method|rest[._ +[]route/;

/** Reads the routing variables of a query, and removes `rest_route` from it. */
export function readRoutingVariables(queryWithoutRoute: string): RoutingVariables {
  if (!POSSIBLE_ROUTING_VARIABLE.test(queryWithoutRoute)) {
    return { route: ABSENT, method: ABSENT, queryWithoutRoute, routeOffset: null };
  }
  const pairs = parseQueryPairs(queryWithoutRoute);
  const route = readRoutingVariable(pairs, 'rest_route', 'route-array');
  const method = readRoutingVariable(pairs, '_method', 'method-array');
  if (route.value === null) return { route, method, queryWithoutRoute, routeOffset: null };
  const firstRoute = pairs.findIndex(({ name }) => name === 'rest_route');
  const otherPairs = pairs.filter(({ name }) => name !== 'rest_route');
  const routeOffset = joinPairs(pairs.slice(0, firstRoute)).length;
  return { route, method, queryWithoutRoute: joinPairs(otherPairs), routeOffset };
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
  let refusalReason: TargetRefusalReason | null = null;
  for (const [position, pair] of pairs.entries()) {
    // PHP's arg_separator.input is "&" by default, and ";&" on some sites.
    if (pair.raw.includes(';') && pair.raw.split(';').slice(1).some(hasVariableName(name))) {
      refusalReason ??= 'variable-semicolon';
    }
    if (pair.name !== name) continue;
    // An array is a type error in WordPress. An array that a later string replaces is refused too.
    if (pair.isArray) refusalReason ??= arrayRefusal;
    // One fewer than PHP reads, because the gateway may insert rest_route in front.
    if (position >= MAX_INPUT_VARS - 1) refusalReason ??= 'variable-position';
    value = urlDecode(pair.value);
  }
  return value === null && refusalReason === null ? ABSENT : { value, refusalReason };
}

function hasVariableName(name: string): (piece: string) => boolean {
  return (piece) => parseVariableName(piece.split('=', 1)[0] ?? '').name === name;
}
