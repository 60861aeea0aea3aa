import type { DocsAssets } from './docs-assets.ts';

export interface DocsPageOptions {
  /** Of the browser's tab. */
  readonly title: string;
  /** Where the page reads the document: same origin, as the policy allows no other. */
  readonly documentUrl: string;
  /** The path below which the assets are served, with its last slash: `/blog/docs/assets/`. */
  readonly assetsPath: string;
  readonly assets: Pick<DocsAssets, 'reference' | 'start' | 'licences'>;
}

/** What Scalar is told; the rest is its defaults. Each line keeps something away from the reader or the network. */
const CONFIGURATION = {
  // Fonts from fonts.scalar.com: the system's own will do.
  withDefaultFonts: false,
  // No report of what readers do here to anybody.
  telemetry: false,
  // A link that opens the document in Scalar's hosted client: a site's interface may be nobody else's business.
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // Credentials that a reader types live as long as the tab.
  persistAuth: false,
} as const;

/** The page at `/docs`: a reference of every operation, to be searched and tried. */
export function renderDocsPage({ title, documentUrl, assetsPath, assets }: DocsPageOptions): string {
  const asset = (name: string): string => escapeHtml(`${assetsPath}${name}`);
  const configuration = escapeHtml(JSON.stringify({ ...CONFIGURATION, url: documentUrl }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="license" href="${asset(assets.licences)}">
</head>
<body>
<div id="reference" data-configuration="${configuration}"></div>
<noscript>This page needs JavaScript. The document itself: <a href="${escapeHtml(documentUrl)}">${escapeHtml(documentUrl)}</a></noscript>
<script src="${asset(assets.reference)}"></script>
<script src="${asset(assets.start)}"></script>
</body>
</html>
`;
}

/**
 * What the page may do. Descriptions in the document come from the site, which is hostile: no script but the two
 * files runs, and nothing is loaded from or sent to another origin.
 */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The reference puts its styles into the page and positions elements by `style`.
  'style-src': "'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': 'data:',
  'media-src': 'blob:',
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
};

/** The headers of the page. Names in lower case. */
export const DOCS_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': Object.entries(POLICY)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
