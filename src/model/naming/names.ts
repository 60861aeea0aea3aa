import type { OperationFacts } from './facts.ts';
import { shapeOf } from './path.ts';
import { type Phrase, phraseOf } from './phrase.ts';
import { RESERVED } from './vocabulary.ts';
import { camel, pascal, wordsOf } from './words.ts';

/** How long a name may be, in characters. */
const MAX_LENGTH = 80;

/**
 * The name of an operation: `listPosts`, `getPostRevision`, `archiveBoardsV2ProjectBoard`. An ASCII identifier of at
 * most 80 characters, made of the operation's own facts alone; {@link assignNames} makes several of them unique.
 */
export function operationName(facts: OperationFacts): string {
  const { verb, prefix, nouns, rest } = phraseOf(facts);
  const things = pascal([...prefix, ...nouns.flat(), ...rest]);
  const name = things === '' && isReserved(verb) ? `run${pascal(verb)}` : camel(verb) + things;
  return name.length > MAX_LENGTH ? shortened(name, keyOf(facts)) : name;
}

/** An operation to be named, with the site's pattern by which it differs from all others. */
export interface Nameable {
  readonly facts: OperationFacts;
  readonly pattern: string;
}

/**
 * Unique names, in the order given, which is to be the site's. The first of two that would be called the same keeps
 * the plain name and the second tells its parameters (`getAttributeBySlug`), or else a hash of its method and
 * pattern: so an operation that is added at the end renames none before it. Names differ in more than case.
 */
export function assignNames(operations: readonly Nameable[]): readonly string[] {
  const taken = new Set<string>();
  return operations.map((operation) => {
    for (const name of candidates(operation)) {
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
    throw new Error('unreachable: candidates do not end');
  });
}

/** Names for one operation, the best first, without end. */
function* candidates({ facts, pattern }: Nameable): Generator<string> {
  const plain = operationName(facts);
  yield plain;
  const { leading, steps } = shapeOf(facts);
  for (const params of [
    steps.at(-1)?.params ?? leading,
    [...leading, ...steps.flatMap((step) => step.params)],
  ]) {
    if (params.length > 0 && !/By[A-Z]/.test(plain)) yield bounded(plain + by(params), facts);
  }
  const key = `${facts.method} ${pattern}`;
  for (let round = 0; ; round += 1) {
    // The same operation twice is told apart by nothing but its turn.
    yield shortened(plain, round === 0 ? key : `${key} ${facts.template} ${round}`);
  }
}

function by(params: readonly string[]): string {
  return `By${params.map((param) => pascal(wordsOf(param))).join('And')}`;
}

function bounded(name: string, facts: OperationFacts): string {
  return name.length > MAX_LENGTH ? shortened(name, keyOf(facts)) : name;
}

function shortened(name: string, key: string): string {
  return `${name.slice(0, MAX_LENGTH - 8)}_${hash(key)}`;
}

function keyOf({ method, template }: OperationFacts): string {
  return `${method} ${template}`;
}

function isReserved(verb: Phrase['verb']): boolean {
  return verb.length === 1 && RESERVED.has(verb[0] ?? '');
}

/** FNV-1a, 32 bits, as seven characters of base 36. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(36).padStart(7, '0');
}
