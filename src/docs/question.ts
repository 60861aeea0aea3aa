import WORDS from './question-words.json' with { type: 'json' };
import { toSearchedWords } from './search.ts';

export interface Question {
  readonly words: string;
  /** The verb of what is to be done; `undefined` if the sentence has none. */
  readonly verb: 'create' | 'delete' | 'list' | 'update' | undefined;
  readonly nouns: readonly string[];
}

type Table = ReadonlyMap<string, string>;

const toTable = (declared: Readonly<Record<string, string>>): Table =>
  new Map(
    Object.entries(declared).flatMap(([word, others]) =>
      [word, ...others.split(' ')].map((each) => [each, word]),
    ),
  );
const NOUNS = toTable(WORDS.nouns);
const HINTS = toTable(WORDS.hints);
const VERBS = toTable(WORDS.verbs);
/** Words of a language without spaces between its words. */
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
  const isForeign =
    read.some(({ known, word }) => known !== undefined && !/^[a-z]+$/.test(word)) || isTranslated(read);
  const hinted = words.flatMap((word) => HINTS.get(word) ?? []);
  const kept = isForeign ? read.flatMap(({ known }) => known ?? []) : words;
  const isAny = (verb: string): boolean => verbs.includes(verb);
  const verb = isAny('delete')
    ? 'delete'
    : isAny('create')
      ? 'create'
      : isAny('update')
        ? 'update'
        : isAny('list')
          ? 'list'
          : undefined;
  return {
    words: [...new Set([...kept, ...(nouns.length === 0 ? hinted : [])])].join(' '),
    verb,
    nouns: [...new Set([...nouns, ...(nouns.length === 0 ? hinted : words.map(toSingular))])],
  };
}

/** Whether most known words are of another language than English, whose other words the document does not have either. */
function isTranslated(
  read: readonly { readonly known: string | undefined; readonly word: string }[],
): boolean {
  const known = read.filter((each) => each.known !== undefined);
  const own = known.filter((each) => each.word.startsWith(each.known?.slice(0, 4) ?? ''));
  return known.length > 0 && own.length === 0;
}
