import data from './vocabulary.json' with { type: 'json' };

type WordSet = keyof typeof data;

const SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(data).map(([name, words]) => [name, new Set(words.split(' '))]),
);

export function wordsOf(set: WordSet): ReadonlySet<string> {
  return SETS.get(set) ?? new Set();
}

export function isOneOf(set: WordSet, word: string): boolean {
  return wordsOf(set).has(word);
}
