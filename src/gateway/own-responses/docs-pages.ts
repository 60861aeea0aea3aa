import { LRUCache } from 'lru-cache';
import type { Documentation, DocumentationPage, GatewayState } from '../../docs/index.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { getOrCreate } from '../../memoize.ts';
import { PROBLEMS, problemResponse } from '../exchange/problem.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import { createRendition, type Rendition } from '../snapshot/document-representations.ts';
import type { DocumentedApi, Snapshot } from '../snapshot/snapshot.ts';
import { prefersHtml, respondWithAsset, respondWithRendition } from './renditions.ts';

const ASSETS_PREFIX = '/assets/';

/** Maximum bytes of rendered pages that are kept per snapshot. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: Readonly<Record<DocumentationPage['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
};

/** Loads the files that the package contains, on platforms that have `node:fs`. */
export const loadPackagedDocs: DocsAssetsLoader = async () =>
  (await import('../../ui/packaged-assets.ts')).loadDocsAssets();

type DocsOptions = GatewayState & { readonly loadDocs: DocsAssetsLoader };

interface RenderedPages {
  readonly documentation: Documentation;
  readonly renditions: LRUCache<string, Rendition>;
}

/** The documentation of one site. Pages are rendered on request and kept with their snapshot. The first loads their modules. */
export class DocsPages {
  readonly #options: DocsOptions;
  readonly #bySnapshot = new WeakMap<Snapshot, RenderedPages>();

  constructor(options: DocsOptions) {
    this.#options = options;
  }

  async #getPages(snapshot: Snapshot, documented: DocumentedApi): Promise<RenderedPages> {
    const { Documentation } = await import('../../docs/index.ts');
    const { loadDocs: _, ...state } = this.#options;
    return getOrCreate(this.#bySnapshot, snapshot, () => ({
      documentation: new Documentation({ ...documented, ...state }),
      renditions: new LRUCache<string, Rendition>({
        maxSize: MAX_CACHED_BYTES,
        sizeCalculation: ({ body, gzip }) => body.byteLength + gzip.byteLength,
      }),
    }));
  }

  async respond(snapshot: Snapshot, path: string, head: RequestHead, baseUrl: string): Promise<Response> {
    const assets = await this.#options.loadDocs();
    if (path.startsWith(ASSETS_PREFIX)) {
      const found = assets.find(path.slice(ASSETS_PREFIX.length));
      if (found !== undefined) return respondWithAsset(found, head);
    }
    const { documented } = snapshot;
    if (documented === null) return problemResponse(PROBLEMS.noDocumentation, head.method);
    const { documentation, renditions } = await this.#getPages(snapshot, documented);
    const { createDocsPageHeaders } = await import('../../ui/page.tsx');
    const request = { path, baseUrl, requestUrl: baseUrl + documented.routePrefix, assets };
    const pageHeaders = createDocsPageHeaders(assets.scriptIntegrity);
    // The client chooses both, so the number of keys is unbounded; pages that do not exist are not kept.
    // What programs read contains no URL of the gateway, and the index of the search is costly.
    const key = path.endsWith('.json') ? path : `${baseUrl}\n${path}\n${documentation.describeState(path)}`;
    let rendition = renditions.get(key);
    if (rendition === undefined) {
      const page = await documentation.render(request);
      if (page === undefined) {
        if (!prefersHtml(head.headers)) return problemResponse(PROBLEMS.noSuchPage, head.method);
        const text = await documentation.renderMissing(request);
        const headers = { ...pageHeaders, vary: 'Accept' };
        return new Response(head.method === 'HEAD' ? null : text, { status: 404, headers });
      }
      rendition = await createRendition([page.text], CONTENT_TYPES[page.kind]);
      renditions.set(key, rendition);
    }
    const isHtml = rendition.contentType === CONTENT_TYPES.html;
    return respondWithRendition(rendition, head, isHtml ? pageHeaders : TEXT_HEADERS);
  }
}

const TEXT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
};
