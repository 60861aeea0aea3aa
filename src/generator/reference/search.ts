import MiniSearch, { type Options, type SearchResult } from 'minisearch';

export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly place: string;
  readonly names: string;
  /** Whole names of its body's members, its parameters, and members of objects: `line_items.product_id`. */
  readonly body: string;
  readonly parameters: string;
  readonly members: string;
  readonly description: string;
  readonly url: string;
  readonly isOlder: boolean;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are at by can do does for from how i in is it my of on or that the their this to what which with s'.split(
    ' ',
  ),
);

const MAX_WORD_LENGTH = 40;

const OLDER_BOOST = 0.4;

/** @returns `null` for a word that is not indexed */
export function toWord(term: string): string | null {
  const word = term.toLowerCase();
  return STOP_WORDS.has(word) ? null : word;
}

function tokenize(text: string, field?: string): string[] {
  if (field !== undefined && WHOLE_NAMES.includes(field))
    return text.split(' ').filter((name) => name !== '');
  return (
    text
      .slice(0, 4_000)
      // These scripts have no spaces between words, so that each character is one.
      .replace(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu, ' $& ')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, MAX_WORD_LENGTH))
  );
}

/** Fields of whole names. What writes a member stands first, and what only has it last. */
const WHOLE_NAMES: readonly string[] = ['body', 'parameters', 'members'];

const WORDS: Readonly<Record<string, number>> = { title: 8, path: 1.5, place: 2, names: 1, description: 0.5 };

export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: [...Object.keys(WORDS), ...WHOLE_NAMES],
  storeFields: ['title', 'method', 'path', 'place', 'url', 'isOlder'],
  tokenize,
  processTerm: toWord,
  searchOptions: {
    // Not with the synonyms of the index that the server makes.
    processTerm: toWord,
    fields: Object.keys(WORDS),
    boost: WORDS,
    prefix: true,
    // One typing error in a word of four letters, two in a longer one: exchanged letters are two.
    fuzzy: (term) => (term.length < 4 ? false : term.length < 6 ? 1 : 2),
    // `create task` means creating a task rather than a part of it.
    boostDocument: (_id, _term, stored = {}) => {
      const words = String(stored['title']).split(/[ _]/).filter(toWord);
      return (stored['isOlder'] === true ? OLDER_BOOST : 1) / words.length;
    },
    weights: { prefix: 0.6, fuzzy: 0.2 },
  },
};

export interface SearchResults {
  readonly query: string;
  readonly total: number;
  readonly results: readonly Pick<SearchEntry, 'method' | 'path' | 'place' | 'title' | 'url'>[];
}

const ENOUGH_RESULTS = 5;

/** Words of a query: each takes up to 60 ms in an index of 10,000 operations. */
const MAX_WORDS = 10;

export function toSearchedWords(query: string): readonly string[] {
  const words = tokenize(query).flatMap((word) => toWord(word) ?? []);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

export function searchIndex(index: MiniSearch, query: string): readonly SearchResult[] {
  const addressed = findByAddress(index, query);
  if (addressed.length > 0) return addressed;
  const found = [...findByMember(index, query), ...findByWords(index, query)];
  return [...new Map(found.map((result) => [result.id, result])).values()];
}

/** Finds what writes or has a member such as `stock_quantity`, `line_items.product_id`, `billing[email]` or `order.billing.email`. */
function findByMember(index: MiniSearch, query: string): readonly SearchResult[] {
  const name = query
    .trim()
    .toLowerCase()
    .replace(/\[(\w*)\]/g, '.$1')
    .replace(/\.+/g, '.');
  if (!/^[^\s.]+[._][^\s]{1,100}$/.test(name)) return [];
  const segments = name.split('.');
  for (let start = 0; start < segments.length; start += 1) {
    const found = index.search(segments.slice(start).join('.'), {
      ...{ fields: [...WHOLE_NAMES], prefix: false, fuzzy: false },
      tokenize: (text) => [text],
    });
    if (found.length === 0) continue;
    const owners = segments.slice(0, start);
    const rank = ({ isOlder, match, path, title }: SearchResult): number => {
      const fields = Object.values(match).flat();
      const field = WHOLE_NAMES.findIndex((each) => fields.includes(each));
      const isOwned = owners.every((owner) => `${title} ${path}`.toLowerCase().includes(owner));
      return (isOlder === true ? 8 : 0) + (isOwned ? 0 : 4) + field;
    };
    return found.sort((one, other) => rank(one) - rank(other) || one.id - other.id);
  }
  return [];
}

function findByWords(index: MiniSearch, query: string): readonly SearchResult[] {
  const words = toSearchedWords(query);
  const found = index.search(words.join(' '));
  const isComplete = ({ queryTerms }: SearchResult): boolean => queryTerms.length === words.length;
  const complete = found.filter(isComplete);
  // `create product` names "Create a product" rather than "Create" of a catalog of products.
  const isNamed = ({ title }: SearchResult): boolean =>
    toSearchedWords(String(title)).join(' ') === words.join(' ');
  const first = [...complete.filter(isNamed), ...complete];
  return complete.length >= ENOUGH_RESULTS ? first : [...first, ...found.filter((each) => !isComplete(each))];
}

const MAX_PASTED = 4_000;
const METHOD = /(?:^|[\s"'])(GET|HEAD|POST|PUT|PATCH|DELETE)(?=[\s"'])/;
const ADDRESS = /(?:^|[\s"'])((?:https?:\/\/|\/)[^\s"'<>]*)/;
const RELATIVE_ADDRESS = /(?:^|[\s"'])([\w.~%{}-]+[/?][^\s"'<>]*)/;

/** Finds operations by `GET /wp/v2/posts`, a URL, a line of an access log, or the end of a path: `orders?page=2`. */
function findByAddress(index: MiniSearch, text: string): readonly SearchResult[] {
  const pasted = text.slice(0, MAX_PASTED);
  const address = (ADDRESS.exec(pasted) ?? RELATIVE_ADDRESS.exec(pasted))?.[1] ?? '';
  if (!URL.canParse(address, 'http://gateway.invalid')) return [];
  const { pathname, searchParams } = new URL(address, 'http://gateway.invalid');
  const segments = toSegments(searchParams.get('rest_route') ?? pathname);
  const method =
    METHOD.exec(pasted)?.[1]?.replace('HEAD', 'GET') ?? (searchParams.size > 0 ? 'GET' : undefined);
  const operations = index.search(MiniSearch.wildcard, {
    filter: (entry) =>
      entry['method'] !== '' && (method === undefined || kindOf(entry['method']) === kindOf(method)),
  });
  const find = (route: readonly string[], isEnd: boolean): readonly SearchResult[] =>
    operations
      .flatMap((entry) => {
        const parts = toSegments(String(entry['path']));
        const rank = rankPath(isEnd ? parts.slice(-route.length) : parts, route);
        const marks = [entry['isOlder'] === true, rank, entry['method'] !== method];
        return rank === undefined ? [] : [{ entry, rank: marks.map(String).join() }];
      })
      .sort((one, other) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank)))
      .map(({ entry }) => entry);
  for (let start = 0; start < segments.length; start += 1) {
    const matches = find(segments.slice(start), false);
    if (matches.length > 0) return matches;
  }
  return segments.length > 0 ? find(segments, true) : [];
}

/** One operation stands for `POST`, `PUT` and `PATCH` of a path if they do the same. */
function kindOf(method: unknown): string {
  return String(method).replace(/^(?:PUT|PATCH)$/, 'POST');
}

function toSegments(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => {
    try {
      return segment === '' ? [] : [decodeURIComponent(segment)];
    } catch {
      return [segment];
    }
  });
}

/** @returns a text that sorts exact segments before parameters; `undefined` if the path is another */
function rankPath(parts: readonly string[], segments: readonly string[]): string | undefined {
  if (parts.length !== segments.length) return undefined;
  let rank = '';
  for (const [at, part] of parts.entries()) {
    if (part === segments[at]) rank += '0';
    else if (part.startsWith('{')) rank += '1';
    else return undefined;
  }
  return rank;
}
