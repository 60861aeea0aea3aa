import { LRUCache } from 'lru-cache';
import type MiniSearch from 'minisearch';
import type { JsonObject } from '../base/json.ts';
import { getOrCreate } from '../base/memoize.ts';
import { getLevel, type Level } from '../generator/openapi/operation-levels.ts';
import { groupEquivalents } from '../generator/openapi/shown-operations.ts';
import { type AnchoredOperation, createReference, type Reference } from '../generator/reference/reference.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import { type SearchEntry, searchIndex, toSearchedWords } from '../generator/reference/search.ts';
import { createSearchIndex } from '../generator/reference/search-index.ts';
import WORDS from './question-words.json' with { type: 'json' };
import { toLine } from './site-text.ts';

/** Agents call an operation by its `operationId` on one line. */
export interface ListedOperation {
  readonly id: string;
  readonly operation: AnchoredOperation;
  readonly level: Level;
}

/** Copies of items. Each kind has them, so a search finds them only by name. */
const COPIES = /\/(?:autosave|revision)s?(?:\/|$)/;

interface CatalogSource {
  readonly document: JsonObject;
  readonly title: string;
}

const catalogs = new WeakMap<CatalogSource, Promise<Catalog>>();

export class Catalog {
  readonly reference: Reference;
  /** Without operations that differ from another only in their method, as in the reference. */
  readonly operations: ListedOperation[] = [];
  readonly byId: Map<string, ListedOperation> = new Map();
  readonly byRoute: Map<string, ListedOperation> = new Map();
  /** Abilities by credentials, for some minutes: a site takes seconds to list them. */
  readonly abilities: LRUCache<string, readonly ListedOperation[]> = new LRUCache({ max: 100, ttl: 300_000 });
  /** Hashes of members that agents have read, by the item's hash. */
  readonly shown: LRUCache<string, Readonly<Record<string, string>>> = new LRUCache({ max: 500 });
  /** The last running write to each item. */
  readonly turns: Map<string, Promise<unknown>> = new Map();
  readonly #byUrl = new Map<string, ListedOperation>();
  /** Operations of older namespaces and of analytics that a namespace in use has too. */
  readonly #twins: ReadonlySet<AnchoredOperation>;
  readonly #index: MiniSearch<SearchEntry>;
  readonly #verbs = new Set<string>();

  private constructor(reference: Reference, index: MiniSearch<SearchEntry>) {
    this.reference = reference;
    this.#index = index;
    for (const { address, operations: placed } of reference.pages) {
      const shown = new Set(groupEquivalents(placed).map(({ operation }) => operation));
      for (const operation of placed) {
        const level = getLevel(operation.shared, operation.method);
        const listed = { id: toLine(operation.id, 200), operation, level };
        if (this.byId.has(listed.id)) continue;
        this.byId.set(listed.id, listed);
        this.byRoute.set(`${operation.method} ${operation.path}`, listed);
        if (!shown.has(operation)) continue;
        this.operations.push(listed);
        this.#byUrl.set(`${address}#${operation.anchor}`, listed);
        if (isWritingMethod(operation.method)) this.#verbs.add(/^[a-z]*/.exec(listed.id)?.[0] ?? '');
      }
    }
    const older = new Set(reference.namespaces.flatMap((page) => (page.successor ? [page.namespace] : [])));
    const isOlder = ({ namespace }: AnchoredOperation): boolean =>
      older.has(namespace) || /analytics/.test(namespace);
    const keyOf = ({ method, namespace, path }: AnchoredOperation): string =>
      `${method} ${path.slice(namespace.length + 1)}`;
    const all = this.operations.map(({ operation }) => operation);
    const current = new Set(all.filter((each) => !isOlder(each)).map(keyOf));
    this.#twins = new Set(all.filter((each) => isOlder(each) && current.has(keyOf(each))));
  }

  static of(documented: CatalogSource): Promise<Catalog> {
    return getOrCreate(catalogs, documented, async () => {
      const { document, title } = documented;
      const reference = createReference(document, title);
      return new Catalog(reference, await createSearchIndex(reference, document));
    });
  }

  /** Finds operations by a sentence, the best first. Deletions are found only by a word for one. */
  search(sentence: string, { namespace, writes }: JsonObject = {}): readonly ListedOperation[] {
    const { isOrder, nouns, verb, words } = readQuestion(sentence, this.#verbs);
    // `POST /wp/v2/posts` or a URL, which is searched as it is typed.
    const isAddress = /(?:^|\s)(?:https?:\/)?\/\S/.test(sentence);
    const isWanted = ({ level, operation }: ListedOperation): boolean =>
      (namespace == null ? !this.#twins.has(operation) : operation.namespace === namespace) &&
      (writes == null || isWritingMethod(operation.method) === writes) &&
      (verb === 'delete' || isAddress || level !== 'delete') &&
      (!COPIES.test(operation.path) || /autosave|revision/.test(words));
    const found = searchIndex(this.#index, isAddress ? sentence : words).flatMap(
      ({ url }) => this.#byUrl.get(String(url)) ?? [],
    );
    const isRead = ({ operation }: ListedOperation): boolean => !isWritingMethod(operation.method);
    const ordered =
      isAddress || (verb === undefined ? isOrder : verb !== 'list')
        ? found
        : [...this.#listsOf(nouns), ...found.filter(isRead), ...found.filter((each) => !isRead(each))];
    return [...new Set(ordered)].filter(isWanted);
  }

  #listsOf(nouns: readonly string[]): readonly ListedOperation[] {
    const depth = ({ operation }: ListedOperation): number => operation.path.split('/').length;
    return this.operations
      .filter(({ operation: { method, path } }) => {
        const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
        return method === 'GET' && nouns.includes(toSingular(last)) && !path.includes('{');
      })
      .toSorted((one, other) => depth(one) - depth(other))
      .slice(0, 3);
  }
}

interface Question {
  readonly words: string;
  /** `undefined` if the sentence has none. */
  readonly verb: 'create' | 'delete' | 'list' | 'update' | undefined;
  readonly nouns: readonly string[];
  /** Whether it begins as an order does: "archive the task". */
  readonly isOrder: boolean;
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
function toSingular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

/** @param siteVerbs that ids of operations begin with: `archiveTask` */
function readQuestion(query: string, siteVerbs: ReadonlySet<string>): Question {
  const words = toSearchedWords(query.slice(0, 1_000));
  const nouns = words.flatMap((word) => NOUNS.get(word) ?? NOUNS.get(toSingular(word)) ?? []);
  const [, first] = /^\s*([a-z]*[^s\s]) (?:an?|my|on|the|this)\s/i.exec(query) ?? [];
  const known = words.flatMap((word) => VERBS.get(word) ?? []);
  // A noun in the place of a verb: "refund an order", "post an announcement".
  const verbs = known.length === 0 && NOUNS.has(first?.toLowerCase() ?? '') ? ['create'] : known;
  const hinted = nouns.length === 0 ? words.flatMap((word) => HINTS.get(word) ?? []) : [];
  return {
    words: [
      ...new Set([
        ...(known === verbs ? [] : verbs),
        // "Add a tag to a post" changes the post.
        ...(/^\s*(?:add|put)\b.*\s(?:in|into|on|to)\s/i.test(query) ? ['update'] : []),
        ...words.flatMap((word) =>
          VERBS.has(word) && !siteVerbs.has(word) ? [] : (NOUNS.get(word) ?? word),
        ),
        ...hinted,
      ]),
    ].join(' '),
    verb: (['delete', 'create', 'update', 'list'] as const).find((each) => verbs.includes(each)),
    isOrder: first !== undefined || siteVerbs.has(words[0] ?? ''),
    nouns: [...new Set([...nouns, ...hinted, ...words.map(toSingular)])],
  };
}
