import type { Options } from 'minisearch';

/** An operation, a resource or a namespace in the search index. */
export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  /** `GET` and the like; empty for a page. */
  readonly method: string;
  readonly path: string;
  /** The names of the namespace and the resources that contain it. */
  readonly place: string;
  /** Names of parameters, fields and schemas. */
  readonly names: string;
  readonly description: string;
  /** URL below `docs/`. */
  readonly url: string;
}

/** Words of a question that say nothing about what is searched for. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...[
    'a',
    'an',
    'and',
    'are',
    'at',
    'by',
    'can',
    'do',
    'does',
    'for',
    'from',
    'how',
    'i',
    'in',
    'is',
    'it',
    'my',
  ],
  ...['of', 'on', 'or', 'that', 'the', 'their', 'this', 'to', 'what', 'which', 'with'],
]);

/** Longer words are cut in the index. */
export const MAX_WORD_LENGTH = 40;

/** How the index is made and searched. The server and the page use the same. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'path', 'place', 'names', 'description'],
  storeFields: ['title', 'method', 'path', 'place', 'url'],
  tokenize: (text) =>
    text
      .slice(0, 4_000)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, MAX_WORD_LENGTH)),
  processTerm: (term) => {
    const lower = term.toLowerCase();
    return STOP_WORDS.has(lower) ? null : lower;
  },
  searchOptions: {
    boost: { title: 8, path: 1.5, place: 2, names: 1, description: 0.5 },
    prefix: true,
    // One typing error in a word of four letters, two in a longer one: exchanged letters are two.
    fuzzy: (term) => (term.length < 4 ? false : term.length < 6 ? 1 : 2),
    combineWith: 'AND',
    // `create task` means the operation that creates a task rather than one that creates a part of it.
    boostDocument: (_id, _term, stored) => 1 / String(stored?.['title']).split(' ').length,
    weights: { prefix: 0.6, fuzzy: 0.2 },
  },
};
