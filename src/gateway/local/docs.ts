import { ASSET_CACHE_CONTROL, DOCS_CODINGS, type DocsAssets } from '../../docs/docs-assets.ts';
import { DOCS_PAGE_HEADERS, renderDocsPage } from '../../docs/page.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { DocsTarget } from '../../router/target.ts';
import { problemResponse } from '../plan/problem.ts';
import { accepts } from './negotiation.ts';

/** Where the files of the documentation page come from. */
export type DocsSource = () => DocsAssets | Promise<DocsAssets>;

/** The files that the package carries, from disk: Node and whatever else has `node:fs`. */
export const packagedDocs: DocsSource = async () =>
  (await import('../../docs/packaged-assets.ts')).loadDocsAssets();

const ASSETS = 'assets/';

/** The documentation page of one site and the files that it loads, all from below its own `/docs`. */
export async function serveDocs(
  { asset }: DocsTarget,
  head: IncomingRequestHead,
  site: { readonly path: string; readonly title: string; readonly source: DocsSource },
): Promise<Response> {
  const assets = await site.source();
  if (asset === '') {
    const page = renderDocsPage({
      title: site.title,
      documentUrl: `${site.path}/openapi.json`,
      assetsPath: `${site.path}/docs/${ASSETS}`,
      assets,
    });
    return new Response(head.method === 'HEAD' ? null : page, { headers: DOCS_PAGE_HEADERS });
  }
  const found = asset.startsWith(ASSETS) ? assets.find(asset.slice(ASSETS.length)) : undefined;
  if (found === undefined) return problemResponse(NO_ASSET);
  const coding =
    DOCS_CODINGS.find((name) => name === 'identity' || accepts(head.headers, name)) ?? 'identity';
  const bytes = await found.read(coding);
  const headers: Record<string, string> = {
    'content-type': found.contentType,
    'content-length': String(bytes.byteLength),
    'cache-control': ASSET_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (coding !== 'identity') headers['content-encoding'] = coding;
  return new Response(head.method === 'HEAD' ? null : bytes, { headers });
}

const NO_ASSET = {
  status: 404,
  code: 'gateway_not_found',
  message: 'The documentation has no such file. Reload the page.',
};
