import { mapInSteps, type Steps } from '../../steps.ts';
import type { NamingInput } from './parse-path.ts';
import { parsePath } from './parse-path.ts';
import { toPhrase } from './phrase.ts';
import { GLOBAL_FUNCTIONS } from './vocabulary.ts';
import { splitWords, toCamelCase, toPascalCase } from './words.ts';

/** Maximum length of a name in characters. */
const MAX_LENGTH = 80;

/**
 * Derives the name of an operation: `listPosts`, `getPostRevision`, `archiveBoardsV2ProjectBoard`.
 *
 * @returns an ASCII identifier of at most 80 characters; not unique, see {@link assignOperationNames}
 */
export function deriveOperationName(input: NamingInput): string {
  const { verb, namespaceWords, nouns, wordsAfterObject } = toPhrase(input);
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
  const taken = new Set(GLOBAL_FUNCTIONS);
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
  const { leadingParams, steps } = parsePath(namingInput);
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
