import { ASSET_CACHE_CONTROL, DOCS_CODINGS } from '../../docs/docs-assets.ts';
import { createDocsPageHeaders, renderDocsPage } from '../../docs/render-page.ts';
import type { RequestHead } from '../../http/request-head.ts';
import type { DocsTarget } from '../../router/target.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import { problemResponse } from '../plan/problem.ts';
import { acceptsCoding } from './negotiation.ts';

/** Loads the files that the package contains, on platforms that have `node:fs`. */
export const loadPackagedDocs: DocsAssetsLoader = async () =>
  (await import('../../docs/packaged-assets.ts')).loadDocsAssets();

/** The site whose documentation is served. */
export interface DocumentedSite {
  /** Path of the mount as browsers see it, without trailing slash. */
  readonly publicPath: string;
  readonly title: string;
  readonly loadDocs: DocsAssetsLoader;
}

const ASSETS_PREFIX = 'assets/';

/** Serves the documentation page of one site, and the files that it loads, below the site's `/docs`. */
export async function serveDocs(
  { assetPath: path }: DocsTarget,
  head: RequestHead,
  { loadDocs, publicPath, title }: DocumentedSite,
): Promise<Response> {
  const assets = await loadDocs();
  if (path === '') {
    const nonce = globalThis.crypto.randomUUID();
    const page = renderDocsPage({
      nonce,
      title,
      documentUrl: `${publicPath}/openapi.json`,
      assetsPath: `${publicPath}/docs/${ASSETS_PREFIX}`,
      assets,
    });
    return new Response(head.method === 'HEAD' ? null : page, { headers: createDocsPageHeaders(nonce) });
  }
  const asset = path.startsWith(ASSETS_PREFIX) ? assets.find(path.slice(ASSETS_PREFIX.length)) : undefined;
  if (asset === undefined) return problemResponse(NO_SUCH_ASSET, head.method);
  const coding =
    DOCS_CODINGS.find((name) => name === 'identity' || acceptsCoding(head.headers, name)) ?? 'identity';
  const bytes = await asset.read(coding);
  const headers: Record<string, string> = {
    'content-type': asset.contentType,
    'content-length': String(bytes.byteLength),
    'cache-control': ASSET_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (coding !== 'identity') headers['content-encoding'] = coding;
  return new Response(head.method === 'HEAD' ? null : bytes, { headers });
}

const NO_SUCH_ASSET = {
  status: 404,
  code: 'gateway_not_found',
  message: 'The documentation has no such file. Reload the page.',
};
