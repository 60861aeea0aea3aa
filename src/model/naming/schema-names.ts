import { AMBIGUOUS_VERBS, LEADING_VERBS, METHOD_VERBS } from './vocabulary.ts';
import { toPascalCase } from './words.ts';

/**
 * Names of types and classes that generated programs use without importing them. A schema of one of these names would
 * hide the global in the module that a generator writes.
 */
const GLOBAL_TYPES: ReadonlySet<string> = new Set(
  (
    'AbortController AbortSignal Array ArrayBuffer Blob Boolean Buffer DataView Date Exclude Extract File FormData ' +
    'Function Headers JSON Map Math NonNullable Number Object Omit Parameters Partial Pick Promise Proxy ReadableStream ' +
    'Readonly Record RegExp Request RequestInit Required Response ReturnType Set String Symbol URL URLSearchParams ' +
    'Uint8Array'
  ).split(' '),
);

/**
 * The words that generators append to the name of an operation to name its types: orval `ListPostsParams`, hey-api
 * `ListPostsData`, kubb `ListPostsQueryResponse`.
 */
const DERIVED_WORDS: ReadonlySet<string> = new Set(
  'bodies body data error errors header headers mutation options params path query request response responses result results'.split(
    ' ',
  ),
);

/**
 * Converts the words of a resource to the name of its schema: `search result` → `SearchResult`. A name that is a global
 * type, or that a generator may derive from an operation's, gets the suffix `Resource`. An operation's name has at least two
 * words, so only names of three words are concerned. The rule depends on the words alone, so that no operation renames a
 * schema.
 */
export function toSchemaName(words: readonly string[]): string {
  const name = toPascalCase(words).slice(0, 120);
  if (/^[0-9]/.test(name)) return `Schema${name}`;
  const [first = ''] = words;
  const isDerived =
    words.length > 2 &&
    [METHOD_VERBS, LEADING_VERBS, AMBIGUOUS_VERBS].some((verbs) => verbs.has(first)) &&
    DERIVED_WORDS.has(words.at(-1) ?? '');
  return isDerived || GLOBAL_TYPES.has(name) ? `${name}Resource` : name;
}
