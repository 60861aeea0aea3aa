import data from './vocabulary.json' with { type: 'json' };

/** A set of words. `vocabulary.json` states what each means. */
type WordSet = keyof typeof data.sets;

const SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(data.sets).map(([name, { words }]) => [name, new Set(words.split(' '))]),
);

const MAPS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(data.maps).map(([name, { entries }]) => [name, new Map(Object.entries(entries))]),
);

export function wordsOf(set: WordSet): ReadonlySet<string> {
  return SETS.get(set) ?? new Set();
}

export function isOneOf(set: WordSet, word: string): boolean {
  return wordsOf(set).has(word);
}

/** A verb that a literal may begin with if the method is not GET. Nearly all verbs of reading are among them. */
export function isLeadingVerb(word: string): boolean {
  return isOneOf('leadingVerbs', word) || (isOneOf('readingVerbs', word) && word !== 'has' && word !== 'is');
}

/** The word or words that a map has for a word; `undefined` if it has none. */
export function lookUp(map: keyof typeof data.maps, word: string): string | undefined {
  return MAPS.get(map)?.get(word);
}

/** `archived`, `filtered` */
export function isParticiple(word: string): boolean {
  return /..ed$/.test(word) && !isOneOf('notParticiples', word);
}
