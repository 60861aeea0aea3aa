import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDocsPageHeaders, renderDocsPage } from '../../src/docs/render-page.ts';

const assets = {
  scalarScriptName: 'scalar-1.js',
  startScriptName: 'start-1.js',
  licencesName: 'licences-1.txt',
};
const HEADERS = createDocsPageHeaders('a-nonce');
const page = (part: object = {}) =>
  renderDocsPage({
    nonce: 'a-nonce',
    title: 'A site',
    documentUrl: '/blog/openapi.json',
    assetsPath: '/blog/docs/assets/',
    assets,
    ...part,
  });

describe('the page', () => {
  test('loads its two scripts from the given path and nothing else', () => {
    expect([...page().matchAll(/ src="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      '/blog/docs/assets/scalar-1.js',
      '/blog/docs/assets/start-1.js',
    ]);
    expect(page()).not.toMatch(/https?:/);
  });

  test('links the document, for the reference and for readers without JavaScript', () => {
    expect(page()).toContain('&quot;url&quot;:&quot;/blog/openapi.json&quot;');
    expect(page()).toContain('<a href="/blog/openapi.json">');
  });

  test('has no inline script, so that the policy can forbid them', () => {
    expect(page()).not.toMatch(/<script(?![^>]* src=)/);
  });

  test('runs scripts with the nonce of its response only, and no other script of its origin', () => {
    expect(page().match(/<script nonce="a-nonce" /g)).toHaveLength(2);
    expect(HEADERS['content-security-policy']?.split('; ')).toContain("script-src 'nonce-a-nonce'");
    expect(HEADERS['cache-control']).toBe('no-store');
  });

  test('escapes the title of the site: it opens no tag and closes no attribute', () => {
    const shape = (html: string) => html.replace(/<title>[^<>]*<\/title>/, '').replace(/="[^"<>]*"/g, '');
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('title', 'documentUrl', 'assetsPath'),
        (text, part) => {
          const html = shape(
            page({ [part]: `<script>"'&${text}</title></script>` }).replace(
              /<noscript>[\s\S]*<\/noscript>/,
              '',
            ),
          );
          expect(html).toBe(shape(page().replace(/<noscript>[\s\S]*<\/noscript>/, '')));
        },
      ),
    );
  });
});

test.each([
  ['default-src', "'none'"],
  ['connect-src', "'self'"],
  ['base-uri', "'none'"],
  ['form-action', "'none'"],
])('the policy of the page has %s %s', (directive, sources) => {
  expect(HEADERS['content-security-policy']?.split('; ')).toContain(`${directive} ${sources}`);
});

test('the policy of the page allows no host and no eval', () => {
  expect(HEADERS['content-security-policy']).not.toMatch(/\*|https?:|eval|strict-dynamic/);
});
