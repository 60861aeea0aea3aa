import { urlDecode } from '../php/encoding.ts';
import { MAX_INPUT_VARS, type QueryPair, scanQuery, variableName } from '../php/query.ts';
import type { RefusalReason } from './refusals.ts';

/** The variables of a query that change what the rest of the request means. */
export interface Controls {
  /** The value that PHP gives `rest_route`: the last one, decoded. Null where there is none. */
  readonly route: string | null;
  /** The same of `_method`. */
  readonly method: string | null;
  /** The query without every spelling of `rest_route`, otherwise byte for byte. */
  readonly query: string;
}

const ROUTE = 'rest_route';
const METHOD = '_method';

/** Names that PHP mangles into a control's, unencoded. A query with a `%` is read in full. */
const MAY_HOLD_CONTROLS = /%|[._]method|rest[._ +[]route/;

/** Reads the controls as PHP does, or says why they cannot be read in one way only. */
export function readControls(query: string): Controls | RefusalReason {
  if (!MAY_HOLD_CONTROLS.test(query)) return { route: null, method: null, query };
  const pairs = scanQuery(query);
  const kept: QueryPair[] = [];
  let route: string | null = null;
  let method: string | null = null;
  for (const [position, pair] of pairs.entries()) {
    // arg_separator.input is "&" by default, and ";&" on some sites.
    if (pair.raw.includes(';') && pair.raw.split(';').slice(1).some(namesControl)) return 'control-semicolon';
    if (pair.name !== ROUTE) kept.push(pair);
    if (pair.name !== ROUTE && pair.name !== METHOD) continue;
    // An array makes WordPress die with a type error; one that a later string replaces is not worth the doubt.
    if (pair.array) return pair.name === ROUTE ? 'route-array' : 'method-array';
    // One less than PHP reads, because rest_route may be put in front.
    if (position >= MAX_INPUT_VARS - 1) return 'control-late';
    if (pair.name === ROUTE) route = urlDecode(pair.value);
    else method = urlDecode(pair.value);
  }
  return { route, method, query: route === null ? query : kept.map((pair) => pair.raw).join('&') };
}

function namesControl(piece: string): boolean {
  const { name } = variableName(piece.split('=', 1)[0] ?? '');
  return name === ROUTE || name === METHOD;
}
