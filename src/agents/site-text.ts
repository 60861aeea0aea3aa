import { decodeEntities, shorten } from '../base/text.ts';

/** Characters that nobody sees, in which a text can hide instructions. */
export const INVISIBLE: RegExp =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164]|\p{Variation_Selector}/gu;

const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164]|\p{Variation_Selector}/gu;
const MARKUP = /<[a-z!/?]/i;

export function removeInvisible(text: string): string {
  return /[^\x20-\x7e]/.test(text) ? text.replace(UNSEEN, '') : text;
}

/** The text that a reader sees. @param isHtml whether a text without tags is HTML too: `Tom &amp; Jerry` */
export function cleanText(text: string, isHtml: boolean): string {
  return removeInvisible(isHtml || MARKUP.test(text) ? htmlToText(text) : text);
}

export function hidesText(text: string): boolean {
  return (
    removeInvisible(text) !== text ||
    /<!--(?!\s*\/?wp:)|<(?:script|style|template|iframe)\b/i.test(text) ||
    HIDDEN.test(text)
  );
}

/** A tag of an element that isn't shown. */
const HIDDEN =
  /<[a-z][^<>]{0,500}?\s(?:hidden(?=[\s=>/])|style\s*=\s*["']?[^"'<>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?![.\d])))/i;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** A short line with all that a text contains. */
export function toLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(INVISIBLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(line, maxLength);
}

const DROPPED = /^(?:script|style|template|noscript|iframe)$/;
const BLOCKS =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|tr|ul)$/;

/** The text that a visitor reads, with a line for each block, in linear time. */
export function htmlToText(html: string): string {
  if (!/[<&]|[^\S ]| {2}/.test(html)) return html.trim();
  let text = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) break;
    if (!MARKUP.test(html.slice(open, open + 2))) {
      text += '<';
      at = open + 1;
      continue;
    }
    const isComment = html.startsWith('<!--', open);
    const end = html.indexOf(isComment ? '-->' : '>', open);
    if (end < 0) {
      // A `<` of the text, or a comment that hides the rest.
      if (!isComment) text += html.slice(open);
      break;
    }
    at = end + (isComment ? 3 : 1);
    const [, slash = '', declared = ''] =
      /^<(\/?)([a-z][\w-]{0,20})/i.exec(html.slice(open, open + 24)) ?? [];
    const name = declared.toLowerCase();
    if (BLOCKS.test(name)) text += name === 'li' && slash === '' ? '\n- ' : '\n';
    if (slash !== '' || VOID.test(name)) continue;
    if (DROPPED.test(name)) at = findEnd(html, name, at, false);
    else if (name !== '' && HIDDEN.test(html.slice(open, Math.min(at, open + 1_000))))
      at = findEnd(html, name, at, true);
  }
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/**
 * Finds the closing tag, or the end of the text. @param isNested whether the element can contain others of
 * its name
 */
function findEnd(html: string, name: string, from: number, isNested: boolean): number {
  const tag = new RegExp(`<(/?)${name}(?![\\w-])`, 'gi');
  tag.lastIndex = from;
  let depth = 1;
  for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
    if (found[1] === '/') depth -= 1;
    else if (isNested) depth += 1;
    if (depth === 0) return found.index;
  }
  return html.length;
}
