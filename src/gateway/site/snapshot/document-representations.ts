import { LRUCache } from 'lru-cache';
import { getNamespaces } from '../../../base/document-extensions.ts';
import { createRendition, type Rendition } from '../../../base/http/rendition.ts';
import type { JsonObject } from '../../../base/json.ts';
import { systemClock } from '../../../base/ports.ts';
import { runInSlices, type Steps } from '../../../base/steps.ts';
import { joinToChunks, narrowToNamespaces, printJson } from '../../../generator/openapi/index.ts';

/** Renderings that wait, besides that of the whole document. */
const MAX_PENDING = 4;

/** Bytes of the last parts of a document, whose namespaces clients choose. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

export class DocumentRepresentations {
  readonly namespaces: readonly string[];
  readonly #createServed: () => Steps<JsonObject>;
  readonly #cached = new LRUCache<string, Rendition>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
  });
  /** One is being rendered, and the others wait. */
  readonly #pending = new Map<string, Promise<Rendition>>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param createServed called for each representation, so that the document needs no memory */
  constructor(document: JsonObject, createServed: () => Steps<JsonObject>) {
    this.namespaces = getNamespaces(document);
    this.#createServed = createServed;
  }

  /**
   * Renders one document after the other, since each takes much of the time of requests.
   *
   * @param namespaces to which the document is limited; empty for the whole one
   * @returns `null` if too many clients wait for others
   */
  get(namespaces: readonly string[]): Rendition | Promise<Rendition> | null {
    const selected = this.namespaces.filter((name) => namespaces.includes(name));
    const key = JSON.stringify(selected);
    const known = this.#cached.get(key) ?? this.#pending.get(key);
    if (known !== undefined) return known;
    if (this.#pending.size > MAX_PENDING && selected.length > 0) return null;
    const rendition = this.#last
      .then(() => this.#render(selected))
      .then((rendered) => {
        this.#cached.set(key, rendered);
        return rendered;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, rendition);
    this.#last = rendition.catch(() => {});
    return rendition;
  }

  async #render(namespaces: readonly string[]): Promise<Rendition> {
    const { withExamples } = await import('../../../generator/example-values/document-examples.ts');
    const body = await runInSlices(encode(this.#createServed, withExamples, namespaces), systemClock);
    return createRendition(body, 'application/json');
  }
}

function* encode(
  createServed: () => Steps<JsonObject>,
  addExamples: (document: JsonObject) => Steps<JsonObject>,
  namespaces: readonly string[],
): Steps<Uint8Array<ArrayBuffer>> {
  const document = yield* createServed();
  const narrowed = namespaces.length === 0 ? document : narrowToNamespaces(document, namespaces);
  const content = yield* addExamples(narrowed);
  const chunks: Buffer<ArrayBuffer>[] = [];
  for (const text of joinToChunks(printJson(content))) {
    chunks.push(Buffer.from(text));
    yield;
  }
  return Buffer.concat(chunks);
}
