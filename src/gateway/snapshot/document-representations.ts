import { LRUCache } from 'lru-cache';
import { getNamespaces } from '../../document-extensions.ts';
import type { JsonObject } from '../../json.ts';
import { narrowToNamespaces, stringifyDocument, toYaml } from '../../openapi/index.ts';

/** Selects a representation of a document: its format, and the namespaces it contains (empty: all). */
export interface RepresentationSelector {
  readonly format: 'json' | 'yaml';
  readonly namespaces: readonly string[];
}

/** The document in one format, as it is sent. */
export interface DocumentRepresentation {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Strong entity tag of `body` (RFC 9110 §8.8.3), with quotes. */
  readonly etag: string;
}

/** The representations of one document. */
export interface DocumentRepresentations {
  get(selector: RepresentationSelector): Promise<DocumentRepresentation>;
}

/** Maximum bytes of cached representations per document. Clients choose the namespaces, so their number is unbounded. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

const CONTENT_TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
} as const;

/** Cache key: equal for all selectors that select the same representation. */
interface RepresentationKey {
  readonly format: RepresentationSelector['format'];
  /** The selected namespaces that the document has, in its order; `null` for the whole document. */
  readonly namespaces: readonly string[] | null;
}

/**
 * Renders a document on request, and caches the results.
 *
 * @param document the site's document
 * @param createServed creates the document that is served; called for each representation, so that it needs no memory
 */
export function createDocumentRepresentations(
  document: JsonObject,
  createServed: () => JsonObject = () => document,
): DocumentRepresentations {
  const documentNamespaces = getNamespaces(document);
  const cache = new LRUCache<string, DocumentRepresentation>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    fetchMethod: (key) => render(createServed(), JSON.parse(key)),
  });
  return {
    async get({ format, namespaces }) {
      const selected = documentNamespaces.filter((name) => namespaces.includes(name));
      const key: RepresentationKey = { format, namespaces: namespaces.length === 0 ? null : selected };
      return cache.forceFetch(JSON.stringify(key));
    },
  };
}

async function render(
  document: JsonObject,
  { format, namespaces }: RepresentationKey,
): Promise<DocumentRepresentation> {
  const content = namespaces === null ? document : narrowToNamespaces(document, namespaces);
  const text = format === 'json' ? stringifyDocument(content) : toYaml(content);
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const hex = Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { contentType: CONTENT_TYPES[format], body, gzip: await compressGzip(body), etag: `"${hex}"` };
}

async function compressGzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
