import { decodeEntities, shorten } from '../ui/text.ts';

/** Characters that nobody sees, in which a text can hide instructions: format characters, and others without a meaning of their own. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164]|\p{Variation_Selector}/gu;

/** Converts a text of a site's index to one short line that shows all that it contains. */
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

/** Reduces HTML to the text that a visitor reads, with a line for each block. The work grows with the length alone. */
export function htmlToText(html: string): string {
  // Most titles.
  if (!/[<&]|[^\S ]| {2}/.test(html)) return html.trim();
  let text = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) break;
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
    if (slash !== '' || !DROPPED.test(name)) continue;
    const close = new RegExp(`</${name}`, 'gi');
    close.lastIndex = at;
    at = close.exec(html)?.index ?? html.length;
  }
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
