import { mapInSteps, type Steps } from '../../../base/steps.ts';
import known from '../conventions/known-responses.json' with { type: 'json' };
import conventions from '../conventions/resource-conventions.json' with { type: 'json' };
import { compareOwners, type NameOwner, NameRegistry, qualifyWords } from './namespaces.ts';
import { type NamingInput, toVerbWords } from './phrase.ts';
import {
  capitalize,
  isOneOf,
  isPlural,
  singularizeLastWord,
  splitWords,
  toCamelCase,
  toPascalCase,
  toPlural,
  toSingular,
  wordsOf,
} from './words.ts';

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

/** Unique names, in the site's order for each owner, so that what a plugin appends renames nothing. */
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

/** A second operation of a name gets a suffix of parameters (`getAttributeBySlug`), literals or a number. */
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

export const RESERVED_SCHEMA_NAMES: readonly string[] = [
  ...['AnyFields', 'BatchResult', 'EmbeddedResource', 'Error', 'InvalidParamError', 'Link', 'Links'],
  ...['MissingCallbackParamError', 'SharedQuery'],
  // WordPress's resource has the name of the known response.
  ...known.responses.map(({ name }) => name).filter((name) => name !== 'SearchResult'),
  ...conventions.map(({ kind }) => `${toPascalCase(splitWords(kind))}Links`),
];

/** `search result` → `SearchResult`. Global types, and names that generators derive from operations, always end in `Resource`. */
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

/** `List posts`, `Archive a project board`: without the namespace, by which documentation groups. */
export function createOperationSummary({ method, namespace, path, phrase }: NamingInput): string {
  const { isOther, nouns, verb, wordsAfterObject } = phrase;
  const words = (method === 'GET' ? describeReport(path) : undefined) ?? [
    ...(VERBS.get(verb.join(' ')) ?? verb.join(' ')).split(' '),
    ...describeObject(phrase),
    ...wordsAfterObject,
  ];
  const index = nouns.at(-1)?.[0] === 'index' && namespace !== '' ? ` of ${namespace}` : '';
  return capitalize(words.map(toSpelling).join(' ')) + index + (isOther ? ` (${method})` : '');
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['lookup', 'look up'],
  ['has', 'tell whether'],
  ['is', 'tell whether'],
]);

function describeReport({ steps }: NamingInput['path']): readonly string[] | undefined {
  const at = steps.findIndex(({ words }) => /^(?:reports|tests)$/.test(words.join()));
  if (at < 0 || at === steps.length - 1 || steps.some(({ params }) => params.length > 0)) return undefined;
  const qualifiers = steps.slice(at + 1, -1).flatMap(({ words }) => singularizeLastWord(words));
  return [
    'get',
    'the',
    ...qualifiers,
    ...(steps.at(-1)?.words ?? []),
    ...singularizeLastWord(steps[at]?.words ?? []),
  ];
}

function describeObject({ grammaticalNumber, nouns, verb }: NamingInput['phrase']): readonly string[] {
  const isList = verb[0] === 'list';
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  const owners = nouns.slice(0, -1).map(singularizeLastWord);
  // Without words that a later noun repeats: `/tasks/task-tabs/config`.
  const parents = owners.flatMap((words, at) => {
    const later = new Set([...owners.slice(at + 1), object].flat().map(toSingular));
    return words.every((word) => later.has(word)) || words.join() === 'data' ? [] : words;
  });
  if (object.length === 1 && isOneOf('selectorWords', last) && parents.length > 0)
    return ['the', /^(?:me|self|mine)$/.test(last) ? 'current' : last, ...parents];
  const needsPlural = isList && !isPlural(last) && !/ed$/.test(last) && !isOneOf('uncountable', last);
  const thing = [...parents, ...object.slice(0, -1), needsPlural ? toPlural(last) : last].filter(
    (word, at, all) => word !== '' && !(word === 'wp' && at < all.length - 1),
  );
  if (thing.length === 0 || grammaticalNumber === 'many' || isList || isOneOf('uncountable', last))
    return thing;
  return [grammaticalNumber === 'the' ? 'the' : chooseArticle(thing[0] ?? ''), ...thing];
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['cat', 'category'],
  ['cats', 'categories'],
  ['oembed', 'oEmbed'],
]);

function toSpelling(word: string): string {
  const singular = toSingular(word);
  const upper = isAcronym(singular) ? singular.toUpperCase() + word.slice(singular.length) : word;
  return SPELLINGS.get(word) ?? upper;
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return isOneOf('acronyms', word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

/** By sound, guessed from spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  // Names of these letters begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid)/.test(word)) return 'a';
  return /^(?:[aeiou]|hour)/.test(word) ? 'an' : 'a';
}
