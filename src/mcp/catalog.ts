import type MiniSearch from 'minisearch';
import { createSearchIndex } from '../docs/index.ts';
import { groupEquivalents } from '../docs/operations.ts';
import { type AnchoredOperation, createReference, type Reference } from '../docs/reference.ts';
import { isWritingMethod } from '../docs/sample-request.ts';
import type { SchemaSource } from '../docs/schema-tree.ts';
import { type SearchEntry, searchIndex } from '../docs/search.ts';
import type { JsonObject } from '../json.ts';
import { lazy } from '../memoize.ts';
import { type CallClass, classifyOperation } from '../openapi/operation-classes.ts';
import { toLine } from './site-text.ts';

/** An operation, and the id that agents call it by: its `operationId` on one line. */
export interface ListedOperation {
  readonly id: string;
  readonly operation: AnchoredOperation;
  readonly classify: () => CallClass;
}

/** The operations of a document, by id and by words. */
export class Catalog {
  readonly reference: Reference;
  /** Operations without those that differ from another one in their method alone, as in the reference. */
  readonly operations: ListedOperation[] = [];
  readonly byId: Map<string, ListedOperation> = new Map();
  /** By method and path, such as `GET /wp/v2/posts`. */
  readonly byRoute: Map<string, ListedOperation> = new Map();
  readonly #byUrl = new Map<string, ListedOperation>();
  readonly #index: MiniSearch<SearchEntry>;

  private constructor(reference: Reference, index: MiniSearch<SearchEntry>, document: JsonObject) {
    this.reference = reference;
    this.#index = index;
    for (const { address, operations: placed } of reference.pages) {
      const shown = new Set(groupEquivalents(placed).map(({ operation }) => operation));
      for (const operation of placed) {
        const classify = lazy(() => classifyOperation(operation, document));
        const listed = { id: toLine(operation.id, 200), operation, classify };
        if (this.byId.has(listed.id)) continue;
        this.byId.set(listed.id, listed);
        this.byRoute.set(`${operation.method} ${operation.path}`, listed);
        if (!shown.has(operation)) continue;
        this.operations.push(listed);
        this.#byUrl.set(`${address}#${operation.anchor}`, listed);
      }
    }
  }

  /** @param title of the site */
  static async create(source: SchemaSource, title: string): Promise<Catalog> {
    const reference = createReference(source.document, title);
    return new Catalog(reference, await createSearchIndex({ reference, source }), source.document);
  }

  /** Finds operations by words, the best first, as the search of the reference does. Members of the filter can be absent. */
  search(words: string, { method, namespace, writes }: JsonObject = {}): readonly ListedOperation[] {
    return searchIndex(this.#index, words)
      .flatMap(({ url }) => this.#byUrl.get(String(url)) ?? [])
      .filter(
        ({ operation }) =>
          (namespace == null || operation.namespace === namespace) &&
          (method == null || operation.method === String(method).toUpperCase()) &&
          (writes == null || isWritingMethod(operation.method) === writes),
      );
  }
}
