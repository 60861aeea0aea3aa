import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesSearch, parseSearch } from '../../../src/example/content/query.ts';
import { formatDateTime, parseDateTime } from '../../../src/example/content/rules.ts';
import { renderContent, renderExcerpt } from '../../../src/example/content/serialize.ts';
import {
  addParagraphs,
  renderPageTitle,
  renderTitle,
  sanitizeTitle,
  texturize,
} from '../../../src/example/content/text.ts';
import { parseDispositionFileName, sanitizeFileName } from '../../../src/example/content/uploads.ts';
import recorded from '../../fixtures/wordpress-text.json' with { type: 'json' };

describe('text that a real WordPress was given', () => {
  const { version, cases } = recorded;

  test.each(cases)(`$text is rendered as by WordPress ${version}`, ({ text, title, page, html, slug }) => {
    expect({
      title: renderTitle(text),
      page: renderPageTitle(text, 'Example'),
      html: addParagraphs(texturize(text)),
      slug: sanitizeTitle(text),
    }).toEqual({ title, page, html, slug });
  });
});

describe('a slug', () => {
  test.each([
    ['Hello World', 'hello-world'],
    ['  Öl & Wasser! ', 'ol-wasser'],
    ['It’s <em>here</em>', 'its-here'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['---', ''],
    ['a_b-c', 'a_b-c'],
  ])('of “%s” is “%s”', (title, slug) => {
    expect(sanitizeTitle(title)).toBe(slug);
  });

  test('is unchanged by a second conversion unless it has encoded letters, and is never too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (title) => {
        const slug = sanitizeTitle(title);
        expect(slug.length).toBeLessThanOrEqual(200);
        if (!slug.includes('%')) expect(sanitizeTitle(slug)).toBe(slug);
      }),
    );
  });
});

describe('a date', () => {
  test.each([
    ['2025-01-15T09:00:00', '2025-01-15T09:00:00'],
    ['2025-01-15 09:00:00Z', '2025-01-15T09:00:00'],
    ['2025-01-15T09:00:00.5+02:00', '2025-01-15T07:00:00'],
    ['2025-01-15T09:00:00-03', '2025-01-15T12:00:00'],
    ['2025-02-31T00:00:00', '2025-03-03T00:00:00'],
  ])('%s is %s', (given, shown) => {
    expect(formatDateTime(parseDateTime(given) ?? Number.NaN)).toBe(shown);
  });

  test.each(['2025-13-01T00:00:00', 'tomorrow', '2025-01-15', ''])('%s is not a date', (given) => {
    expect(parseDateTime(given)).toBeUndefined();
  });
});

describe('content', () => {
  test.each([
    ['One\n\nTwo\nlines', '<p>One</p>\n<p>Two<br />\nlines</p>\n'],
    ['<!-- wp:paragraph -->\n<p>Block</p>\n<!-- /wp:paragraph -->', '\n<p>Block</p>\n'],
    ['<!-- more --> rest', '<p><!-- more --> rest</p>\n'],
    ['<!-- wp:open', '<!-- wp:open'],
    ['', ''],
  ])('%j is shown as %j', (raw, html) => {
    expect(renderContent(raw)).toBe(html);
  });

  test('is shortened to 55 words if there is no excerpt', () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`);
    expect(renderExcerpt('', words.join(' '))).toBe(`<p>${words.slice(0, 55).join(' ')} [&hellip;]</p>\n`);
    expect(renderExcerpt('Own', words.join(' '))).toBe('<p>Own</p>\n');
  });

  test.each([
    ['opened block marks', '<!--wp:'.repeat(300_000)],
    ['angle brackets', '<'.repeat(1_000_000)],
    ['letters', 'é'.repeat(1_000_000)],
    ['quotes and spaces', ` "'`.repeat(200_000)],
    ['line breaks', '<br>\n'.repeat(200_000)],
    ['unclosed elements', '<div<svg<pre<option'.repeat(50_000)],
    ['spaces between elements', `<option><p>${' '.repeat(500_000)}<div><figcaption${'\n '.repeat(200_000)}x`],
  ])('that consists of %s is processed in linear time', (_, text) => {
    for (const process of [
      addParagraphs,
      (value: string) => renderExcerpt('', value),
      sanitizeTitle,
      parseSearch,
    ])
      expect(() => process(text)).not.toThrow();
  });
});

describe('a search', () => {
  const post = { title: 'The old pier', excerpt: 'Repaired', content: 'By two neighbours' };
  test.each([
    ['pier old', true],
    ['"old pier"', true],
    ['"pier old"', false],
    ['pier -repaired', false],
    ['PIER neighbours', true],
    ['a b c d e f g h i j', false],
  ])('for %s finds it: %s', (text, found) => {
    const search = parseSearch(text);
    expect(search !== undefined && matchesSearch(post, search)).toBe(found);
  });

  test('with `exact` finds only an equal title', () => {
    const [whole, part] = [
      parseSearch('the old pier', ['post_title'], true),
      parseSearch('pier', ['post_title'], true),
    ];
    expect([whole, part].map((search) => search !== undefined && matchesSearch(post, search))).toEqual([
      true,
      false,
    ]);
  });
});

describe('a file’s name', () => {
  test.each([
    ['attachment; filename="a b.png"', 'a b.png'],
    ['attachment; filename=a.png', 'a.png'],
    ['attachment; x=1; FileName = "a.png"', 'a.png'],
    ['inline', undefined],
    ['attachment; filename*=utf-8', undefined],
  ])('in %s is %s', (header, name) => {
    expect(parseDispositionFileName(header)).toBe(name);
  });

  test('has no folders and no leading dot', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        expect(sanitizeFileName(given)).toMatch(/^(?:[A-Za-z0-9_][A-Za-z0-9._-]*)?$/);
      }),
    );
  });
});
