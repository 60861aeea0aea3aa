import { mapInSteps, type Steps } from '../../../base/steps.ts';
import known from '../conventions/known-responses.json' with { type: 'json' };
import conventions from '../conventions/resource-conventions.json' with { type: 'json' };
import { compareOwners, type NameOwner, NameRegistry, qualifyWords } from './namespaces.ts';
import { type NamingInput, toVerbWords } from './phrase.ts';
import { isOneOf, splitWords, toCamelCase, toPascalCase, wordsOf } from './words.ts';

const MAX_LENGTH = 80;

/** `listPosts`, `archiveStoreOrder`. Outermost nouns are left out of long names. */
export function deriveOperationName(
  { method, phrase }: NamingInput,
  qualifier: readonly string[] = [],
): string {
  const { isAction, isOther, nouns, wordsAfterObject } = phrase;
  const verb = isOther ? [...toVerbWords([method]), ...(isAction ? phrase.verb : [])] : phrase.verb;
  const names = Array.from({ length: Math.max(1, nouns.length) }, (_, dropped) => {
    const words = [...nouns.slice(dropped).flat(), ...wordsAfterObject];
    const things = toPascalCase(qualifyWords(qualifier, words));
    // A single verb can be a reserved word (`delete`) or, as a type, a schema's name: `SearchResult`.
    return things === '' && verb.length === 1 ? `run${toPascalCase(verb)}` : toCamelCase(verb) + things;
  });
  return names.find(({ length }) => length <= MAX_LENGTH) ?? (names[0] ?? '').slice(0, MAX_LENGTH);
}

export interface OperationToName {
  readonly namingInput: NamingInput;
  readonly owner: NameOwner;
}

/**
 * Unique names, in the site's order for each owner, so that what a plugin appends renames nothing. A second
 * operation gets a suffix of parameters (`getAttributeBySlug`), literals or a number.
 */
export function* assignOperationNames(operations: readonly OperationToName[]): Steps<readonly string[]> {
  const registry = new NameRegistry(wordsOf('globalFunctions'));
  const ranked = operations
    .map((operation, index) => ({ ...operation, index }))
    .sort((a, b) => compareOwners(a.owner, b.owner));
  const names: string[] = new Array(operations.length).fill('');
  yield* mapInSteps(ranked, ({ index, namingInput, owner }) => {
    // Only the namespace tells indexes apart.
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
  // `POST /cart/update-item` says what it does: `cartUpdateItem`.
  const verb = input.phrase.isAction ? [] : toVerbWords([input.method]);
  const literals = toVerbWords([...verb, ...qualifier, ...steps.flatMap(({ words }) => words)]);
  yield toCamelCase(literals).slice(0, MAX_LENGTH);
}

/** Names of other schemas that no resource gets. */
export const RESERVED_SCHEMA_NAMES: readonly string[] = [
  ...['AnyFields', 'BatchResult', 'EmbeddedResource', 'Error', 'InvalidParamError', 'Link', 'Links'],
  ...['MissingCallbackParamError', 'SharedQuery'],
  // WordPress's resource has the name of the known response.
  ...known.responses.map(({ name }) => name).filter((name) => name !== 'SearchResult'),
  ...conventions.map(({ kind }) => `${toPascalCase(splitWords(kind))}Links`),
];

/**
 * `search result` → `SearchResult`. Names of global types, or that generators can derive from operations, get
 * the suffix `Resource`, regardless of the site's operations.
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
