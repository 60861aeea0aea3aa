import { toSearchedWords } from '../docs/search.ts';
import WORDS from './question-words.json' with { type: 'json' };

export interface Question {
  readonly words: string;
  /** The verb of what is to be done; `undefined` if the sentence has none. */
  readonly verb: 'create' | 'delete' | 'list' | 'update' | undefined;
  readonly nouns: readonly string[];
}

type Table = ReadonlyMap<string, string>;

/** Each text has English words, and after a bar those of other languages. */
const toTable = (declared: Readonly<Record<string, string>>): Table =>
  new Map(
    Object.entries(declared).flatMap(([word, others]) =>
      [word, ...others.split(' ')].map((each) => [each, word]),
    ),
  );
const FOREIGN: ReadonlySet<string> = new Set(
  [WORDS.nouns, WORDS.hints, WORDS.verbs]
    .flatMap((declared) => Object.values(declared))
    .flatMap((others) => others.replace(/^.*\|/, '').trim().split(' ')),
);
const NOUNS = toTable(WORDS.nouns);
const HINTS = toTable(WORDS.hints);
const VERBS = toTable(WORDS.verbs);
const JOINED: readonly string[] = [...NOUNS.keys(), ...HINTS.keys(), ...VERBS.keys()]
  .filter((word) => /[^\p{sc=Latin}\p{sc=Common}]/u.test(word))
  .toSorted((one, other) => other.length - one.length);

/** `categories` and `category` are one word. */
export function toSingular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

/** Reads a question in English, German, Spanish, French or Japanese, as far as it names what WordPress has. */
export function readQuestion(query: string): Question {
  let text = query.toLowerCase().slice(0, 1_000);
  for (const word of JOINED)
    text = text.replaceAll(word, ` ${NOUNS.get(word) ?? VERBS.get(word) ?? HINTS.get(word)} `);
  // Characters of these scripts that no word of the table has.
  const words = toSearchedWords(text.replace(/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]+/gu, ' '));
  const nouns: string[] = [];
  const verbs: string[] = [];
  const read = words.map((word) => {
    const noun = NOUNS.get(word) ?? NOUNS.get(toSingular(word));
    if (noun !== undefined) nouns.push(noun);
    const verb = noun === undefined ? VERBS.get(word) : undefined;
    if (verb !== undefined) verbs.push(verb);
    return { word, known: noun ?? verb };
  });
  const isForeign = words.some((word) => FOREIGN.has(word)) || text !== query.toLowerCase().slice(0, 1_000);
  const hinted = words.flatMap((word) => HINTS.get(word) ?? []);
  const kept = isForeign ? read.flatMap(({ known }) => known ?? []) : words;
  const verb = (['delete', 'create', 'update', 'list'] as const).find((each) => verbs.includes(each));
  return {
    words: [...new Set([...kept, ...(nouns.length === 0 ? hinted : [])])].join(' '),
    verb,
    nouns: [...new Set([...nouns, ...(nouns.length === 0 ? hinted : words.map(toSingular))])],
  };
}
