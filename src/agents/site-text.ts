import { decodeEntities, shorten } from '../base/text.ts';

/** Characters that nobody sees, in which a text can hide instructions. */
export const INVISIBLE: RegExp =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164]|\p{Variation_Selector}/gu;

const MARKUP = /<[a-z!/?]/i;

/** The flags of England, Scotland and Wales, the only emoji with tag characters (Unicode's emoji-sequences.txt). */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;
/** A variation selector and a joiner, as in the emoji of a heart on fire. */
const JOINED = /\ufe0f\u200d/u;
/** Runs in which a text can hide another. A single joiner (U+200C, U+200D) or soft hyphen belongs to the text. */
const HIDING =
  /[\u{e0000}-\u{e007f}]+|[\u202a-\u202e\u2066-\u2069]+|(?:[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164]|\p{Variation_Selector}|[^\P{Cc}\n\r\t]){2,}/u;
const UNSEEN = new RegExp(`(${FLAG.source}|${JOINED.source})|${HIDING.source}`, 'gu');

export function removeInvisible(text: string): string {
  return /[^\x20-\x7e]/.test(text) ? text.replace(UNSEEN, (_, kept: string | undefined) => kept ?? '') : text;
}

/** The text that a reader sees. @param isHtml whether a text without tags is HTML too: `Tom &amp; Jerry` */
export function cleanText(text: string, isHtml: boolean): string {
  return removeInvisible(isHtml || MARKUP.test(text) ? htmlToText(text) : text);
}

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
function htmlToText(html: string): string {
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
    if (slash === '' && DROPPED.test(name)) {
      const closing = new RegExp(`</${name}(?![\\w-])`, 'gi');
      closing.lastIndex = at;
      at = closing.exec(html)?.index ?? html.length;
    }
  }
  return decodeEntities(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}
