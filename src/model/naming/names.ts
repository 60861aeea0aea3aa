import { mapInSteps, type Steps } from '../../steps.ts';
import type { NamingInput } from './phrase.ts';
import { isLeadingVerb, isOneOf, wordsOf } from './vocabulary.ts';
import { splitWords, toCamelCase, toPascalCase } from './words.ts';

/** Maximum length of a name in characters. */
const MAX_LENGTH = 80;

/**
 * Derives the name of an operation: `listPosts`, `getPostRevision`, `archiveBoardsV2ProjectBoard`.
 *
 * @returns an ASCII identifier of at most 80 characters; not unique, see {@link assignOperationNames}
 */
export function deriveOperationName(input: NamingInput): string {
  const { verb, namespaceWords, nouns, wordsAfterObject } = input.phrase;
  const things = toPascalCase([...namespaceWords, ...nouns.flat(), ...wordsAfterObject]);
  // A verb alone may be a reserved word (`delete`), and tools derive names of types from it that schemas have: `SearchResult`.
  const name = things === '' ? `run${toPascalCase(verb)}` : toCamelCase(verb) + things;
  return name.length > MAX_LENGTH ? shorten(name, operationKey(input)) : name;
}

/** An operation to be named. Its method and its route's pattern distinguish it from all others. */
export interface OperationToName {
  readonly namingInput: NamingInput;
  readonly pattern: string;
}

/**
 * Assigns unique names to operations in the site's order. Of two operations with equal names the first keeps the plain
 * name; the second gets its parameters as a suffix (`getAttributeBySlug`), or a hash of its method and pattern. So an
 * operation that is added at the end renames none before it. Names are unique case-insensitively, and
 * none is a global function's.
 */
export function* assignOperationNames(operations: readonly OperationToName[]): Steps<readonly string[]> {
  const taken = new Set(wordsOf('globalFunctions'));
  const rounds = new Map<string, number>();
  return yield* mapInSteps(operations, (operation) => {
    for (const name of candidateNames(operation, rounds)) {
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
    throw new Error('unreachable: the candidate names are infinite');
  });
}

/**
 * Generates infinitely many names for one operation, the best first.
 *
 * @param rounds the next number to try, by the name with a hash; a hostile site can make the hashes of patterns equal
 */
function* candidateNames(
  { namingInput, pattern }: OperationToName,
  rounds: Map<string, number>,
): Generator<string> {
  const plain = deriveOperationName(namingInput);
  yield plain;
  const { leadingParams, steps } = namingInput.path;
  for (const params of [
    steps.at(-1)?.params ?? leadingParams,
    [...leadingParams, ...steps.flatMap((step) => step.params)],
  ]) {
    if (params.length > 0 && !/By[A-Z]/.test(plain)) {
      yield limitLength(plain + byParameters(params), namingInput);
    }
  }
  const key = `${namingInput.method} ${pattern}`;
  const hashed = shorten(plain, key);
  for (;;) {
    const round = rounds.get(hashed) ?? 0;
    rounds.set(hashed, round + 1);
    // Identical operations differ only in the number of their round.
    yield round === 0 ? hashed : shorten(plain, `${key} ${namingInput.template} ${round}`);
  }
}

function byParameters(params: readonly string[]): string {
  return `By${params.map((param) => toPascalCase(splitWords(param))).join('And')}`;
}

function limitLength(name: string, input: NamingInput): string {
  return name.length > MAX_LENGTH ? shorten(name, operationKey(input)) : name;
}

function shorten(name: string, key: string): string {
  return `${name.slice(0, MAX_LENGTH - 8)}_${hash(key)}`;
}

function operationKey({ method, template }: NamingInput): string {
  return `${method} ${template}`;
}

/** Computes FNV-1a (32 bits) as seven characters in base 36. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(36).padStart(7, '0');
}

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
    (isOneOf('methodVerbs', first) || isLeadingVerb(first) || isOneOf('ambiguousVerbs', first)) &&
    DERIVED_WORDS.has(words.at(-1) ?? '');
  return isDerived || GLOBAL_TYPES.has(name) ? `${name}Resource` : name;
}
