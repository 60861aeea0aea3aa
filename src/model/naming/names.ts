import { hashFnv } from '../../hash.ts';
import { mapInSteps, type Steps } from '../../steps.ts';
import known from '../conventions/known-responses.json' with { type: 'json' };
import conventions from '../conventions/resource-conventions.json' with { type: 'json' };
import { compareOwners, findQualifiedName, type NameOwner } from './namespaces.ts';
import { type NamingInput, toVerbWords } from './phrase.ts';
import { isOneOf, wordsOf } from './vocabulary.ts';
import { splitWords, toCamelCase, toPascalCase } from './words.ts';

/** Maximum length of a name in characters. */
const MAX_LENGTH = 80;

/**
 * Derives the name of an operation: `listPosts`, `getPostRevision`, `archiveStoreOrder`. The outermost nouns are left out of a
 * name that is too long.
 *
 * @param qualifier words of the namespace, which tell the name apart from that of another one
 * @returns an ASCII identifier of at most 80 characters; not unique, see {@link assignOperationNames}
 */
export function deriveOperationName(input: NamingInput, qualifier: readonly string[] = []): string {
  const { verb, nouns, wordsAfterObject } = input.phrase;
  const toName = (kept: readonly (readonly string[])[]): string => {
    const things = toPascalCase([...qualifier, ...kept.flat(), ...wordsAfterObject]);
    // A verb alone may be a reserved word (`delete`), and tools derive names of types from it that schemas have: `SearchResult`.
    return things === '' ? `run${toPascalCase(verb)}` : toCamelCase(verb) + things;
  };
  const fitting = nouns
    .map((_, dropped) => toName(nouns.slice(dropped)))
    .find((name) => name.length <= MAX_LENGTH);
  return fitting ?? limitLength(toName(nouns), input);
}

/** An operation to be named. Its method and its route's pattern distinguish it from all others. */
export interface OperationToName {
  readonly namingInput: NamingInput;
  readonly pattern: string;
  readonly owner: NameOwner;
}

/**
 * Assigns unique names to operations, first to those whose owner ranks first, and in the site's order to those of one owner.
 * An operation whose name another owner has taken is qualified by the words of its namespace. Of two operations of one
 * owner the second gets its parameters as a suffix (`getAttributeBySlug`), the literals of its path, or a hash of its method and
 * pattern. So an operation that a plugin adds at its end renames none before it. Names are unique case-insensitively,
 * and none is a global function's.
 *
 * @returns the names in the order of the operations
 */
export function* assignOperationNames(operations: readonly OperationToName[]): Steps<readonly string[]> {
  /** The owner of each name; empty for global functions. */
  const taken = new Map([...wordsOf('globalFunctions')].map((name) => [name, '']));
  const rounds = new Map<string, number>();
  const ranked = operations
    .map((operation, index) => ({ operation, index }))
    .sort((a, b) => compareOwners(a.operation.owner, b.operation.owner));
  const names: string[] = new Array(operations.length).fill('');
  yield* mapInSteps(ranked, ({ operation, index }) => {
    const name = findOperationName(operation, taken, rounds);
    taken.set(name.toLowerCase(), operation.owner.id);
    names[index] = name;
  });
  return names;
}

function findOperationName(
  operation: OperationToName,
  taken: ReadonlyMap<string, string>,
  rounds: Map<string, number>,
): string {
  const { namingInput, owner } = operation;
  const usable = namingInput.phrase.isNamedByNamespace ? owner.qualifiers.slice(1) : owner.qualifiers;
  const qualifiers = usable.length === 0 ? owner.qualifiers : usable;
  const takenBy = (name: string): string | undefined => taken.get(name.toLowerCase());
  const candidates = (qualifier: readonly string[]) => deriveCandidates(operation, qualifier);
  const found = findQualifiedName({ ...owner, qualifiers }, candidates, takenBy);
  if (found !== undefined) return found;
  for (const name of hashedNames(operation, qualifiers.at(-1) ?? [], rounds)) {
    if (!taken.has(name.toLowerCase())) return name;
  }
  throw new Error('unreachable: the hashed names are infinite');
}

/** Generates names for one operation, the best first. */
function* deriveCandidates(
  { namingInput }: OperationToName,
  qualifier: readonly string[],
): Generator<string> {
  const plain = deriveOperationName(namingInput, qualifier);
  yield plain;
  const { leadingParams, steps } = namingInput.path;
  const all = [...leadingParams, ...steps.flatMap((step) => step.params)];
  for (const params of [steps.at(-1)?.params ?? leadingParams, all]) {
    if (params.length > 0 && !/By[A-Z]/.test(plain)) {
      yield limitLength(plain + byParameters(params), namingInput);
    }
  }
  if (all.length > 0) return;
  // A path that says what the operation does needs no method: `cartUpdateItem` of `POST /cart/update-item`.
  const verb = namingInput.phrase.isAction !== true ? toVerbWords([namingInput.method]) : [];
  const literal = toCamelCase(toVerbWords([...verb, ...qualifier, ...steps.flatMap(({ words }) => words)]));
  if (literal.length <= MAX_LENGTH) yield literal;
}

/**
 * Generates infinitely many names for one operation.
 *
 * @param rounds the next number to try, by the name with a hash; a hostile site can make the hashes of patterns equal
 */
function* hashedNames(
  { namingInput, pattern }: OperationToName,
  qualifier: readonly string[],
  rounds: Map<string, number>,
): Generator<string> {
  const plain = deriveOperationName(namingInput, qualifier);
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

function limitLength(name: string, { method, template }: NamingInput): string {
  return name.length > MAX_LENGTH ? shorten(name, `${method} ${template}`) : name;
}

function shorten(name: string, key: string): string {
  return `${name.slice(0, MAX_LENGTH - 8)}_${hashFnv(key).toString(36).padStart(7, '0')}`;
}

/**
 * Names of schemas that documents have beside those of resources (`openapi/responses.ts`, `openapi/request-bodies.ts`,
 * `known-responses.json`). No resource gets one of them.
 */
export const RESERVED_SCHEMA_NAMES: readonly string[] = [
  ...['AnyFields', 'BatchResult', 'EmbeddedResource', 'Error', 'InvalidParamError', 'Link', 'Links'],
  ...['MissingCallbackParamError', 'ServerError', 'SharedQuery'],
  // The resource of WordPress and the response of a site that does not state its schema have one name.
  ...known.responses.map(({ name }) => name).filter((name) => name !== 'SearchResult'),
  ...conventions.map(({ kind }) => `${toPascalCase(splitWords(kind))}Links`),
];

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
    (['verbs', 'readingVerbs', 'methods'] as const).some((set) => isOneOf(set, first)) &&
    isOneOf('derivedWords', words.at(-1) ?? '');
  return isDerived || isOneOf('globalTypes', name) ? `${name}Resource` : name;
}
