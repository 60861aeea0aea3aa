/**
 * Content Security Policy of the pages. Texts of the document come from the site, which is not trusted: only the one
 * script with this hash runs, and no other origin is contacted. `'self'` would allow more scripts: with `passthrough`
 * the site's uploads and its JSONP responses (`/wp-json/?_jsonp=…`) have the same origin.
 */
const CONTENT_SECURITY_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
};

/** Only the one script can start a worker, and it starts the one that searches. */
const DOCS_POLICY: Readonly<Record<string, string>> = { ...CONTENT_SECURITY_POLICY, 'worker-src': "'self'" };

/** The console has forms, and no page may frame it, not even one of a site at the same origin. */
const CONSOLE_POLICY: Readonly<Record<string, string>> = {
  ...CONTENT_SECURITY_POLICY,
  'img-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** Creates the response headers of a page, with names in lower case. @param scriptIntegrity `sha256-…` */
export function createDocsPageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // The document can change at any time, and revalidation is cheap.
    'cache-control': 'no-cache',
    'content-security-policy': formatPolicy(DOCS_POLICY, scriptIntegrity),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** Creates the response headers of a page of the console, as {@link createDocsPageHeaders} does for a page of the documentation. */
export function createConsolePageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': formatPolicy(CONSOLE_POLICY, scriptIntegrity),
    // A page of a site at the same origin that opens the console gets no handle to its window.
    'cross-origin-opener-policy': 'same-origin',
    // With `no-referrer` a browser sends the `Origin` of a form as `null` (Fetch, "append a request Origin header").
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

function formatPolicy(policy: Readonly<Record<string, string>>, scriptIntegrity: string): string {
  return Object.entries({ ...policy, 'script-src': `'${scriptIntegrity}'` })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
