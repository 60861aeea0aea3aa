import { LRUCache } from 'lru-cache';
import { EXTENSION_NAMES, extensionOf, getNamespaces } from '../../../base/document-extensions.ts';
import { createRendition, type Rendition } from '../../../base/http/rendition.ts';
import { isJsonObject, type Json, type JsonObject, toJsonObject } from '../../../base/json.ts';
import { trimTrailingSlashes } from '../../../base/php/request.ts';
import { systemClock } from '../../../base/ports.ts';
import { runInSlices, type Steps } from '../../../base/steps.ts';
import type { SiteAddress } from '../../../generator/discovery/site.ts';
import { joinToChunks, narrowToNamespaces, printJson } from '../../../generator/openapi/index.ts';

export interface ServedDocumentOptions {
  readonly publicPath: string;
  readonly passthrough: boolean;
  readonly address: SiteAddress;
  readonly connectUrl?: string | undefined;
}

/** Makes the gateway the server: the document contains no address of the site. */
export function* toServedDocument(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { address, passthrough, publicPath } = options;
  const { options: _, ...site } = toJsonObject(extensionOf(document, 'site'));
  const local = yield* replaceSiteUrls({ ...document, [EXTENSION_NAMES.site]: null }, options);
  const { info } = local;
  const title = isJsonObject(info) ? { info: { ...info, title: toPublicTitle(info['title'], address) } } : {};
  return {
    ...{ ...local, ...title },
    servers: [
      { url: publicPath + (passthrough ? toRoutePrefix(address) : '') || '/', description: 'This gateway' },
    ],
    [EXTENSION_NAMES.site]: { ...site, site: toRelativeAddress(address) },
  };
}

/** Where routes are below a mount that has pages too: `/wp-json`, or `/index.php?rest_route=` without permalinks. */
export function toRoutePrefix({ base, prefix, root }: SiteAddress): string {
  return `/${root.startsWith(base) ? trimTrailingSlashes(root.slice(base.length)) : prefix}`;
}

/** A site without a name is titled by its host, which clients must not learn. */
export function toPublicTitle(title: Json | undefined, { base }: SiteAddress): string {
  return typeof title !== 'string' || title === '' || title === new URL(base).host ? 'REST API' : title;
}

function* replaceSiteUrls(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  const replacement = JSON.stringify(options.publicPath).slice(1, -1);
  const replace = (value: Json): Json => {
    const text = JSON.stringify(value);
    return mayContain(text) ? JSON.parse(text.replace(pattern, () => replacement)) : value;
  };
  function* visit(value: JsonObject, depth: number): Steps<JsonObject> {
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(value)) {
      const isLeaf = depth === 0 || !isJsonObject(member);
      members.push([String(replace(name)), isLeaf ? replace(member) : yield* visit(member, depth - 1)]);
      yield;
    }
    return Object.fromEntries(members);
  }
  return yield* visit(document, 2);
}

export function createTextLocalizer(options: ServedDocumentOptions): (text: string) => string {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  return (text) => (mayContain(text) ? text.replace(pattern, () => options.publicPath) : text);
}

function createSiteUrlPattern({ address, connectUrl }: ServedDocumentOptions): {
  readonly pattern: RegExp;
  readonly mayContain: (text: string) => boolean;
} {
  const { base, aliases = [], root } = address;
  const bases = [base, ...aliases, ...(connectUrl === undefined ? [] : [connectUrl])].map(withoutScheme);
  const origins = [...bases, withoutScheme(root)].map((url) => url.replace(/[/?].*/, ''));
  // The longest first, so that a site's path is removed with its origin.
  const places = [...new Set([...bases, ...origins])].sort((one, other) => other.length - one.length);
  const escaped = places.map((place) => place.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  // A longer host name or another port is another site.
  const pattern = new RegExp(`(?:https?:)?//(?:${escaped.join('|')})(?![\\w:-]|\\.\\w)`, 'gi');
  return { pattern, mayContain: (text) => origins.some((origin) => text.includes(origin)) };
}

function toRelativeAddress({ base, root, spelling, prefix }: SiteAddress): JsonObject {
  const { pathname, search } = new URL(root);
  const relative = root.startsWith(base) ? `./${root.slice(base.length)}` : pathname + search;
  return { base: './', root: relative, spelling, prefix };
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/** Renderings that wait, besides the whole document's. */
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
  /** One is rendered, and the others wait. */
  readonly #pending = new Map<string, Promise<Rendition>>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param createServed called for each representation, so that the document needs no memory */
  constructor(document: JsonObject, createServed: () => Steps<JsonObject>) {
    this.namespaces = getNamespaces(document);
    this.#createServed = createServed;
  }

  /**
   * Renders one document after the other, since each takes much of the requests' time.
   * @param namespaces to which the document is limited; empty for the whole one @returns `null` if too many clients wait
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
