import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { narrowDocument, stringifyDocument, toYaml } from '../../openapi/index.ts';

/** One form of a document: which notation, and which namespaces (none: all). */
export interface RepresentationSelector {
  readonly format: 'json' | 'yaml';
  readonly namespaces: readonly string[];
}

export interface DocumentRepresentation {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Strong entity tag of `body` (RFC 9110 §8.8.3), quotes included. */
  readonly etag: string;
}

export interface DocumentRepresentations {
  get(key: RepresentationSelector): Promise<DocumentRepresentation>;
}

/** Bytes of renditions to keep for each document. Callers choose the namespaces, so there is no end of forms. */
const KEPT_BYTES = 32 * 1024 * 1024;

const CONTENT_TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
} as const;

/** What is kept apart: forms that a caller's spelling makes no difference to are one. */
interface Form {
  readonly format: RepresentationSelector['format'];
  /** The document's own names among those asked for, in order; `null` for the whole document. */
  readonly namespaces: readonly string[] | null;
}

/** Renders a document on demand, each form once while it is kept. */
export function createDocumentRepresentations(document: JsonObject): DocumentRepresentations {
  const known = namespacesOf(document);
  const kept = new LRUCache<string, DocumentRepresentation>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
    fetchMethod: (key) => render(document, JSON.parse(key)),
  });
  return {
    async get({ format, namespaces }) {
      const asked = known.filter((name) => namespaces.includes(name));
      const form: Form = { format, namespaces: namespaces.length === 0 ? null : asked };
      return kept.forceFetch(JSON.stringify(form));
    },
  };
}

function namespacesOf({ 'x-waygate': site }: JsonObject): readonly string[] {
  const names = isJsonObject(site) ? site['namespaces'] : undefined;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}

async function render(document: JsonObject, { format, namespaces }: Form): Promise<DocumentRepresentation> {
  const shown = namespaces === null ? document : narrowDocument(document, namespaces);
  const text = format === 'json' ? stringifyDocument(shown) : toYaml(shown);
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const etag = `"${Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
  return { contentType: CONTENT_TYPES[format], body, gzip: await gzip(body), etag };
}

async function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
