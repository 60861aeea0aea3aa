import type MiniSearch from 'minisearch';
import { createSearchIndex } from '../docs/index.ts';
import { groupEquivalents } from '../docs/operations.ts';
import { type AnchoredOperation, createReference, type Reference } from '../docs/reference.ts';
import type { SchemaSource } from '../docs/schema-tree.ts';
import { type SearchEntry, searchIndex } from '../docs/search.ts';
import { toLine } from './site-text.ts';
import { estimateTokens } from './tokens.ts';
import { isWrite } from './write-policy.ts';

/** An operation, and the id that agents call it by: its `operationId` on one line. */
export interface ListedOperation {
  readonly id: string;
  readonly operation: AnchoredOperation;
}

export interface SearchFilter {
  readonly namespace?: string | undefined;
  readonly method?: string | undefined;
  readonly writes?: boolean | undefined;
}

const MAX_ID_LENGTH = 200;
const MAX_RESULTS = 8;
/** Tokens of the results of one search. */
const MAX_SEARCH_TOKENS = 560;
/** Lengths of title and description in a result, the most telling first. */
const RESULT_DETAILS = [
  [80, 110],
  [80, 50],
  [60, 0],
] as const;

/** The operations of a document, by id and by words. */
export class Catalog {
  readonly source: SchemaSource;
  readonly reference: Reference;
  /** Operations without those that differ from another one in their method alone, as in the reference. */
  readonly operations: readonly ListedOperation[];
  readonly #byId = new Map<string, ListedOperation>();
  /** By method and path, such as `GET /wp/v2/posts`. */
  readonly #byRoute = new Map<string, ListedOperation>();
  readonly #byUrl = new Map<string, ListedOperation>();
  readonly #index: MiniSearch<SearchEntry>;

  private constructor(source: SchemaSource, reference: Reference, index: MiniSearch<SearchEntry>) {
    this.source = source;
    this.reference = reference;
    this.#index = index;
    const operations: ListedOperation[] = [];
    for (const { address, operations: placed } of reference.pages) {
      const shown = new Set(groupEquivalents(placed).map(({ operation }) => operation));
      for (const operation of placed) {
        const listed = { id: toLine(operation.id, MAX_ID_LENGTH), operation };
        if (this.#byId.has(listed.id)) continue;
        this.#byId.set(listed.id, listed);
        this.#byRoute.set(`${operation.method} ${operation.path}`, listed);
        if (!shown.has(operation)) continue;
        operations.push(listed);
        this.#byUrl.set(`${address}#${operation.anchor}`, listed);
      }
    }
    this.operations = operations;
  }

  /** @param title of the site */
  static async create(source: SchemaSource, title: string): Promise<Catalog> {
    const reference = createReference(source.document, title);
    return new Catalog(source, reference, await createSearchIndex({ guides: [], reference, source }));
  }

  find(id: string): ListedOperation | undefined {
    return this.#byId.get(id);
  }

  /** @param path template of the document */
  findByPath(method: string, path: string): ListedOperation | undefined {
    return this.#byRoute.get(`${method} ${path}`);
  }

  /** Finds operations by words, the best first, as the search of the reference does. */
  search(words: string, { method, namespace, writes }: SearchFilter = {}): readonly ListedOperation[] {
    return searchIndex(this.#index, words).flatMap(({ url }) => {
      const listed = this.#byUrl.get(String(url));
      if (listed === undefined) return [];
      const { operation } = listed;
      const isWanted =
        (namespace === undefined || operation.namespace === namespace) &&
        (method === undefined || operation.method === method.toUpperCase()) &&
        (writes === undefined || isWrite(operation) === writes);
      return isWanted ? [listed] : [];
    });
  }

  /** Writes what a search has found, with less of each operation rather than fewer of them. */
  describeResults(found: readonly ListedOperation[]): string {
    let text = '';
    for (const [title, description] of RESULT_DETAILS) {
      const shown = found.slice(0, MAX_RESULTS);
      text = shown.map((listed) => this.#describeResult(listed, title, description)).join('\n');
      if (estimateTokens(text, MAX_SEARCH_TOKENS) <= MAX_SEARCH_TOKENS) return text;
    }
    // Ids and paths of a hostile index, of one token a character at most.
    return text.slice(0, MAX_SEARCH_TOKENS);
  }

  #describeResult(
    { id, operation }: ListedOperation,
    titleLength: number,
    descriptionLength: number,
  ): string {
    const { method, path, shared, title } = operation;
    const name = `${id}: ${toLine(method, 20)} ${toLine(path, 150)}`;
    const declared = typeof shared.description === 'string' ? shared.description : '';
    // The last paragraph of a generated description repeats the route.
    const [first = ''] = declared.split('\n\n').filter((paragraph) => !/^Routes?: /.test(paragraph));
    const description = descriptionLength === 0 ? '' : toLine(this.source.localize(first), descriptionLength);
    return [name, toLine(title, titleLength), description].filter((part) => part !== '').join(' - ');
  }
}
