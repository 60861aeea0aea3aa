import { mapInSteps, type Steps } from '../../steps.ts';
import known from '../conventions/known-responses.json' with { type: 'json' };
import conventions from '../conventions/resource-conventions.json' with { type: 'json' };
import { compareOwners, type NameOwner, NameRegistry, qualifyWords } from './namespaces.ts';
import { type NamingInput, toVerbWords } from './phrase.ts';
import { isOneOf, wordsOf } from './vocabulary.ts';
import { splitWords, toCamelCase, toPascalCase } from './words.ts';

/** Maximum length of a name in characters, without the number that makes it unique. */
const MAX_LENGTH = 80;

/**
 * Derives the name of an operation: `listPosts`, `getPostRevision`, `archiveStoreOrder`. The outermost nouns are left out of a
 * name that is too long.
 *
 * @param qualifier words of the namespace, which tell the name apart from that of another one
 * @returns an ASCII identifier of at most 80 characters; not unique, see {@link assignOperationNames}
 */
export function deriveOperationName(
  { method, phrase }: NamingInput,
  qualifier: readonly string[] = [],
): string {
  const { isAction, isOther, nouns, wordsAfterObject } = phrase;
  const verb = isOther ? [...toVerbWords([method]), ...(isAction ? phrase.verb : [])] : phrase.verb;
  const names = Array.from({ length: Math.max(1, nouns.length) }, (_, dropped) => {
    const words = [...nouns.slice(dropped).flat(), ...wordsAfterObject];
    const things = toPascalCase(qualifyWords(qualifier, words));
    // A verb alone can be a reserved word (`delete`), and tools derive names of types from it that schemas have: `SearchResult`.
    return things === '' && verb.length === 1 ? `run${toPascalCase(verb)}` : toCamelCase(verb) + things;
  });
  return names.find(({ length }) => length <= MAX_LENGTH) ?? (names[0] ?? '').slice(0, MAX_LENGTH);
}

/** An operation to be named, with who names it. */
export interface OperationToName {
  readonly namingInput: NamingInput;
  readonly owner: NameOwner;
}

/**
 * Assigns unique names to operations, in the site's order to those of one owner. Of two operations of one owner the second gets
 * its parameters as a suffix (`getAttributeBySlug`), the literals of its path, or a number. So an operation that a plugin adds at
 * its end renames none before it. None has the name of a global function.
 *
 * @returns the names in the order of the operations
 */
export function* assignOperationNames(operations: readonly OperationToName[]): Steps<readonly string[]> {
  const registry = new NameRegistry(wordsOf('globalFunctions'));
  const ranked = operations
    .map((operation, index) => ({ ...operation, index }))
    .sort((a, b) => compareOwners(a.owner, b.owner));
  const names: string[] = new Array(operations.length).fill('');
  yield* mapInSteps(ranked, ({ index, namingInput, owner }) => {
    // Only the namespace says what the index of one is about.
    const named =
      namingInput.path.steps.length > 0 ? [] : owner.qualifiers.filter(({ length }) => length > 0);
    const qualifiers = named.length > 0 ? named : owner.qualifiers;
    const name = registry.find({ ...owner, qualifiers }, (qualifier) =>
      deriveCandidates(namingInput, qualifier),
    );
    registry.take(name, owner);
    names[index] = name;
  });
  return names;
}

/** Generates names for one operation, the best first. */
function* deriveCandidates(input: NamingInput, qualifier: readonly string[]): Generator<string> {
  const plain = deriveOperationName(input, qualifier);
  yield plain;
  const { leadingParams, steps } = input.path;
  const all = [...leadingParams, ...steps.flatMap((step) => step.params)];
  for (const params of [steps.at(-1)?.params ?? leadingParams, all]) {
    const words = params.map((param) => toPascalCase(splitWords(param)));
    if (params.length > 0 && !/By[A-Z]/.test(plain))
      yield `${plain}By${words.join('And')}`.slice(0, MAX_LENGTH);
  }
  if (all.length > 0) return;
  // A path that says what the operation does needs no method: `cartUpdateItem` of `POST /cart/update-item`.
  const verb = input.phrase.isAction ? [] : toVerbWords([input.method]);
  const literals = toVerbWords([...verb, ...qualifier, ...steps.flatMap(({ words }) => words)]);
  yield toCamelCase(literals).slice(0, MAX_LENGTH);
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
 * type, or that a generator can derive from an operation's, gets the suffix `Resource`. An operation's name has at least two
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
