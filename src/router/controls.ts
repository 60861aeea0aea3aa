import { urlDecode } from '../php/encoding.ts';
import { MAX_INPUT_VARS, type QueryPair, scanQuery, variableName } from '../php/query.ts';
import type { RefusalReason } from './refusals.ts';

/** The variables of a query that change what the rest of the request means. */
export interface Controls {
  readonly route: Control;
  readonly method: Control;
  /** The query without every spelling of `rest_route`, otherwise byte for byte. */
  readonly query: string;
  /** Where in `query` the first `rest_route` stood: an offset. Null where there is none. */
  readonly routeAt: number | null;
}

/** What PHP reads for one of them. */
export interface Control {
  /** The last value, decoded; null where there is none. */
  readonly value: string | null;
  /** Why it cannot be read in one way only. */
  readonly fault: RefusalReason | null;
}

const ABSENT: Control = { value: null, fault: null };

/** Names that PHP mangles into a control's, unencoded. A query with a `%` is read in full. */
const MAY_HOLD_CONTROLS = /%|[._]method|rest[._ +[]route/;

export function readControls(query: string): Controls {
  if (!MAY_HOLD_CONTROLS.test(query)) return { route: ABSENT, method: ABSENT, query, routeAt: null };
  const pairs = scanQuery(query);
  const route = readControl(pairs, 'rest_route', 'route-array');
  const method = readControl(pairs, '_method', 'method-array');
  if (route.value === null) return { route, method, query, routeAt: null };
  const isOther = (pair: QueryPair): boolean => pair.name !== 'rest_route';
  const before = joined(
    pairs.slice(
      0,
      pairs.findIndex((pair) => !isOther(pair)),
    ),
  );
  return { route, method, query: joined(pairs.filter(isOther)), routeAt: before.length };
}

function joined(pairs: readonly QueryPair[]): string {
  return pairs.map((pair) => pair.raw).join('&');
}

function readControl(pairs: readonly QueryPair[], name: string, ofArray: RefusalReason): Control {
  let value: string | null = null;
  let fault: RefusalReason | null = null;
  for (const [position, pair] of pairs.entries()) {
    // arg_separator.input is "&" by default, and ";&" on some sites.
    if (pair.raw.includes(';') && pair.raw.split(';').slice(1).some(isNamed(name)))
      fault ??= 'control-semicolon';
    if (pair.name !== name) continue;
    // An array makes WordPress die with a type error; one that a later string replaces is not worth the doubt.
    if (pair.array) fault ??= ofArray;
    // One less than PHP reads, because rest_route may be put in front.
    if (position >= MAX_INPUT_VARS - 1) fault ??= 'control-late';
    value = urlDecode(pair.value);
  }
  return value === null && fault === null ? ABSENT : { value, fault };
}

function isNamed(name: string): (piece: string) => boolean {
  return (piece) => variableName(piece.split('=', 1)[0] ?? '').name === name;
}
