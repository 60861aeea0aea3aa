import { escapeHtml } from '../site/pages.ts';

/** Text as WordPress renders it, in outline: ampersands, paragraphs and slugs. Quotes and dashes stay as they are written. */

const BARE_AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;

/** What PHP's `strip_tags()` takes for a tag. */
const TAG = /<(?!\s)[^>]*(?:>|$)/g;

export function escapeAmpersands(html: string): string {
  return html.replace(BARE_AMPERSAND, '&#038;');
}

export function renderTitle(title: string): string {
  return escapeAmpersands(title).trim();
}

/** Renders the title of a page with the name of the site, without tags. */
export function renderPageTitle(title: string, site: string): string {
  return `${escapeHtml(title.replace(TAG, ''))} - ${escapeHtml(site)}`;
}

const BLOCK =
  /^<\/?(?:table|div|dl|ul|ol|li|pre|form|blockquote|figure|p|h[1-6]|hr|section|article|details)\b/i;

/** Wraps loose text in paragraphs and ends its lines with `<br />`. Block elements stay as they are. */
export function addParagraphs(html: string): string {
  return html
    .split(/\r?\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((text) => (BLOCK.test(text) ? `${text}\n` : `<p>${text.replace(/\s*\n/g, '<br />\n')}</p>\n`))
    .join('');
}

/** The maximal length of a slug, in characters of a URL. */
export const MAX_SLUG_LENGTH = 200;

/**
 * Converts a title to a slug: lower case, without accents, with hyphens for spaces, dots and slashes and nothing for other signs.
 * Letters that are not Latin are percent-encoded.
 */
export function sanitizeTitle(title: string): string {
  const words = title
    .replace(TAG, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s./\u2013\u2014-]+/g, '-')
    // An octet that is encoded already stays.
    .replace(/%(?![a-f\d]{2})|[^\p{L}\p{N}%_-]/gu, '');
  return cutEncoded(words).replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/** Encodes letters for a URL up to a length. A cut within a letter would make it invalid. */
function cutEncoded(text: string): string {
  let cut = '';
  for (const letter of text) {
    const encoded = letter < '\u0080' ? letter : encodeURIComponent(letter).toLowerCase();
    if (cut.length + encoded.length > MAX_SLUG_LENGTH) break;
    cut += encoded;
  }
  return cut;
}
