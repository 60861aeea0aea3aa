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

/** Creates the response headers of a page, with names in lower case. @param scriptIntegrity `sha256-…` */
export function createDocsPageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    // The document can change at any time, and revalidation is cheap.
    'cache-control': 'no-cache',
    'content-security-policy': Object.entries({
      ...CONTENT_SECURITY_POLICY,
      'script-src': `'${scriptIntegrity}'`,
    })
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
