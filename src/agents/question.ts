import { toSearchedWords } from '../generator/reference/search.ts';
import WORDS from './question-words.json' with { type: 'json' };

export interface Question {
  readonly words: string;
  /** The verb of what is to be done; `undefined` if the sentence has none. */
  readonly verb: 'create' | 'delete' | 'list' | 'update' | undefined;
  readonly nouns: readonly string[];
}

const toTable = (declared: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(declared).flatMap(([word, others]) =>
      [word, ...others.split(' ')].map((each) => [each, word]),
    ),
  );
const NOUNS = toTable(WORDS.nouns);
/** What a question without a noun is about: "sold out" is said of products. */
const HINTS = toTable(WORDS.hints);
const VERBS = toTable(WORDS.verbs);

/** `categories` and `category` are one word. */
export function toSingular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

export function readQuestion(query: string): Question {
  const words = toSearchedWords(query.slice(0, 1_000));
  const nouns = words.flatMap((word) => NOUNS.get(word) ?? NOUNS.get(toSingular(word)) ?? []);
  const verbs = words.flatMap((word) => VERBS.get(word) ?? []);
  const hinted = nouns.length === 0 ? words.flatMap((word) => HINTS.get(word) ?? []) : [];
  return {
    words: [...new Set([...words, ...hinted])].join(' '),
    verb: (['delete', 'create', 'update', 'list'] as const).find((each) => verbs.includes(each)),
    nouns: [...new Set([...nouns, ...hinted, ...words.map(toSingular)])],
  };
}
