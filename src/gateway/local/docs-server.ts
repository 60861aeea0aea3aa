import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import type { DocsPages, DocsServerOptions } from './docs-pages.ts';

/** Serves the documentation of one site. */
export type DocsServer = Pick<DocsPages, 'respond'>;

/** Creates the server of a site's documentation. The first request loads the modules of the pages. */
export function createDocsServer(options: DocsServerOptions): DocsServer {
  let loading: Promise<DocsPages> | undefined;
  return {
    async respond(...request) {
      loading ??= import('./docs-pages.ts').then(({ DocsPages }) => new DocsPages(options));
      return (await loading).respond(...request);
    },
  };
}

/** Loads the files that the package contains, on platforms that have `node:fs`. */
export const loadPackagedDocs: DocsAssetsLoader = async () =>
  (await import('../../ui/packaged-assets.ts')).loadDocsAssets();
