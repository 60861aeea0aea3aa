import type { DocsAssets } from './docs-assets.ts';

/** Options of {@link renderDocsPage}. */
export interface DocsPageOptions {
  /** Title of the page. */
  readonly title: string;
  /** URL of the document. The policy allows the page's own origin only. */
  readonly documentUrl: string;
  /** Path below which the assets are served, with trailing slash: `/blog/docs/assets/`. */
  readonly assetsPath: string;
  readonly assets: Pick<DocsAssets, 'scalarScriptName' | 'startScriptName' | 'licencesName'>;
  /** Random text that allows the two scripts of one response to run: letters, digits and `-`. */
  readonly nonce: string;
}

/** Scalar's options that differ from its defaults. Each keeps requests or data from leaving the page. */
const SCALAR_CONFIGURATION = {
  // The default loads fonts from fonts.scalar.com.
  withDefaultFonts: false,
  // The default reports usage.
  telemetry: false,
  // The link opens the document in Scalar's hosted client. A site's interface may be confidential.
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // Credentials are kept only as long as the page is open.
  persistAuth: false,
} as const;

/** Renders the page at `/docs`: a reference of every operation, with search and test requests. */
export function renderDocsPage({ title, documentUrl, assetsPath, assets, nonce }: DocsPageOptions): string {
  const asset = (name: string): string => escapeHtml(`${assetsPath}${name}`);
  const configuration = escapeHtml(JSON.stringify({ ...SCALAR_CONFIGURATION, url: documentUrl }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="license" href="${asset(assets.licencesName)}">
</head>
<body>
<div id="reference" data-configuration="${configuration}"></div>
<noscript>This page needs JavaScript. The document itself: <a href="${escapeHtml(documentUrl)}">${escapeHtml(documentUrl)}</a></noscript>
<script nonce="${escapeHtml(nonce)}" src="${asset(assets.scalarScriptName)}"></script>
<script nonce="${escapeHtml(nonce)}" src="${asset(assets.startScriptName)}"></script>
</body>
</html>
`;
}

/**
 * Content Security Policy of the page. Descriptions in the document come from the site, which is not trusted: only the two
 * script files run, and no other origin is contacted. `'self'` would allow more scripts: with `passthrough` the site's
 * uploads and its JSONP responses (`/wp-json/?_jsonp=…`) have the same origin.
 */
const CONTENT_SECURITY_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  // Scalar inserts `<style>` elements and sets `style` attributes.
  'style-src': "'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': 'data:',
  'media-src': 'blob:',
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
};

/** Creates the response headers of a page with this nonce, with names in lower case. */
export function createDocsPageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // A stored page would repeat the nonce.
    'cache-control': 'no-store',
    'content-security-policy': Object.entries({
      ...CONTENT_SECURITY_POLICY,
      'script-src': `'nonce-${nonce}'`,
    })
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for elements and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}
