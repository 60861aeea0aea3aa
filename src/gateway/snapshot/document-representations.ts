import { LRUCache } from 'lru-cache';
import { getNamespaces } from '../../document-extensions.ts';
import type { JsonObject } from '../../json.ts';
import { narrowToNamespaces, stringifyDocument, toOpenApi30, toYaml } from '../../openapi/index.ts';

/** Selects a representation of a document: its format, the namespaces it contains (empty: all), and its version. */
export interface RepresentationSelector {
  readonly format: 'json' | 'yaml';
  readonly namespaces: readonly string[];
  /** Version of OpenAPI. @default '3.1' */
  readonly version?: '3.0' | '3.1';
}

/** The representations of one document. */
export interface DocumentRepresentations {
  /** Names of the namespaces that the document has. */
  readonly namespaces: readonly string[];
  get(selector: RepresentationSelector): Promise<Rendition>;
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
  readonly version: '3.0' | '3.1';
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
  const cache = new LRUCache<string, Rendition>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    fetchMethod: (key) => render(createServed(), JSON.parse(key)),
  });
  return {
    namespaces: documentNamespaces,
    async get({ format, namespaces, version = '3.1' }) {
      const selected = documentNamespaces.filter((name) => namespaces.includes(name));
      const key: RepresentationKey = {
        format,
        namespaces: namespaces.length === 0 ? null : selected,
        version,
      };
      return cache.forceFetch(JSON.stringify(key));
    },
  };
}

async function render(
  document: JsonObject,
  { format, namespaces, version }: RepresentationKey,
): Promise<Rendition> {
  const narrowed = namespaces === null ? document : narrowToNamespaces(document, namespaces);
  const content = version === '3.0' ? toOpenApi30(narrowed) : narrowed;
  const text = format === 'json' ? stringifyDocument(content) : toYaml(content);
  return createRendition(text, CONTENT_TYPES[format]);
}

/** A text as it is sent. */
export interface Rendition {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Strong entity tag of `body` (RFC 9110 §8.8.3), with quotes. */
  readonly etag: string;
}

/** Encodes, compresses and tags a text. */
export async function createRendition(text: string, contentType: string): Promise<Rendition> {
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const hex = Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer());
  return { contentType, body, gzip, etag: `"${hex}"` };
}
