import { escapeHtml } from '../site/pages.ts';
import RULES from './text-rules.json' with { type: 'json' };

/**
 * Text as WordPress renders it: typographic characters, paragraphs and slugs. `test/fixtures/wordpress-text.json` has what a
 * real WordPress makes of many texts. All functions take time in proportion to the text.
 */

/** Splits HTML into text and tags, alternately. An unclosed tag or comment goes on to the end. */
export function splitHtml(html: string): readonly string[] {
  const tokens: string[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', from)) {
    const mark = html.startsWith('<!--', at) ? '-->' : '>';
    const end = html.indexOf(mark, at + (mark === '>' ? 1 : 4));
    const after = end === -1 ? html.length : end + mark.length;
    tokens.push(html.slice(from, at), html.slice(at, after));
    from = after;
  }
  tokens.push(html.slice(from));
  return tokens;
}

/** Elements whose text stays as it is. */
const VERBATIM = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

const BARE_AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;

/** Replaces quotes, dashes, ellipses and signs by typographic characters, as `wptexturize()` does. */
export function texturize(html: string): string {
  const open: string[] = [];
  const tokens = splitHtml(html).map((token, index) => {
    if (index % 2 === 0) return open.length > 0 || token.trim() === '' ? token : texturizeText(token);
    if (token.startsWith('<!--')) return token;
    const [, slash = '', name = ''] = /^<(\/?)([^ >]*)/.exec(token) ?? [];
    if (VERBATIM.has(name) && slash === '') open.push(name);
    else if (slash === '/' && open.at(-1) === name) open.pop();
    return token.replace(BARE_AMPERSAND, '&#038;');
  });
  return tokens.join('');
}

/**
 * What the rules of the data file name in braces. `OPEN` and `APOSTROPHE` are marks of quotes that are settled, `MARK` stands
 * for a line break within a tag, or with a number for preformatted text: XML forbids them in a text. `FROM_WHITE` is a run of
 * white space from its start, so that a long one is tried once. `REST` is the rest of a tag, or of its first line.
 */
const PARTS: Readonly<Record<string, string>> = RULES.parts;
const { OPEN, APOSTROPHE, MARK } = RULES.parts;

const expand = (text: string): string =>
  text.replace(/\{([A-Z_]+)\}/g, (_, name: string) => expand(PARTS[name] ?? ''));

type Rules = readonly (readonly [RegExp, string])[];

/** Compiles rules of the data file: each is a pattern, its replacement, and flags other than `g`. */
function compile(rules: readonly (readonly string[])[]): Rules {
  return rules.map(([pattern = '', replacement = '', flags = 'g']) => [
    new RegExp(expand(pattern), flags),
    expand(replacement),
  ]);
}

const DASHES = compile(RULES.dashes);
/** '99' at the end of a quotation; '99 is a year, '99% and '99.5 are not. */
const SINGLE = compile(RULES.single);
const DOUBLE = compile(RULES.double);
/** An empty line separates a block element from what is before and after it. */
const SEPARATED = compile(RULES.separated);
/** Paragraphs that are empty or that a block element begins or ends. */
const UNWRAPPED = compile(RULES.unwrapped);
/** No break stands beside a block element. */
const UNBROKEN = compile(RULES.unbroken);

function replaceAll(text: string, rules: Rules): string {
  return rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

function texturizeText(text: string): string {
  let result = RULES.fixed.reduce(
    (found, [plain = '', typographic = '']) => found.replaceAll(plain, typographic),
    text,
  );
  if (result.includes("'")) {
    result = closeQuotes(replaceAll(result, SINGLE), "'", '&#8217;', '&#8242;')
      .replaceAll(APOSTROPHE, '&#8217;')
      .replaceAll(OPEN, '&#8216;');
  }
  if (result.includes('"')) {
    result = closeQuotes(replaceAll(result, DOUBLE), '"', '&#8221;', '&#8243;').replaceAll(OPEN, '&#8220;');
  }
  if (result.includes('-')) result = replaceAll(result, DASHES);
  return result.replace(MULTIPLICATION, '$1&#215;').replace(BARE_AMPERSAND, '&#038;');
}

/** `9x9`, and not `0x9`. */
const MULTIPLICATION = /\b((?!0(?![\d.,]))\d[\d.,]{0,30})x(?=\d[\d.,]{0,30}\b)/g;

/**
 * Decides about the quotes that open nothing: after an opening quote, the one in the place of a closing quote closes it. A
 * quote after a digit is a prime otherwise.
 */
function closeQuotes(text: string, quote: string, closing: string, prime: string): string {
  const candidates = new RegExp(expand(`${quote}{CLOSING}`), 'g');
  const afterDigit = new RegExp(`(?<=\\d)${quote}`, 'g');
  const parts = text.split(OPEN).map((part, index) => {
    if (!part.includes(quote)) return part;
    let closed = part;
    const places = [...part.matchAll(candidates)].map(({ index: at }) => at);
    const isCandidate = new Set(places);
    if (index === 0 || part.includes(closing)) {
      closed = part.replace(afterDigit, prime).replace(candidates, closing);
    } else {
      const isPrime = (at: number): boolean => places.length > 1 && /\d/.test(part[at - 1] ?? '');
      // Of several quotes after digits alone, the one before a full stop closes, or the last one.
      const isOpen = places.length > 1 && places.every(isPrime);
      const stop = places.findLast((at) => part[at + 1] === '.');
      const last = isOpen ? (stop ?? places.at(-1)) : undefined;
      closed = part
        .split('')
        .map((letter, at) => {
          if (letter !== quote || !isCandidate.has(at)) return letter;
          return isPrime(at) && at !== last ? prime : closing;
        })
        .join('')
        .replace(afterDigit, prime);
    }
    return quote === '"' ? closed.replaceAll(quote, closing) : closed;
  });
  return parts.join(OPEN);
}

/** Renders a title: typographic characters, and no ampersand that is not an entity of two letters or more. */
export function renderTitle(title: string): string {
  return encodeAmpersands(texturize(title)).replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '');
}

function encodeAmpersands(html: string): string {
  return html.replace(/&([^#])(?![a-z1-4]{1,8};)/gi, '&#038;$1');
}

/** Renders the title of a page with the name of the site, without tags, as `wp_get_document_title()` does. */
export function renderPageTitle(title: string, site: string): string {
  const text = `${texturize(title).replace(TAG_START, '')} - ${site}`;
  return escapeHtml(encodeAmpersands(texturize(text))).replace(/&amp;(?=#?\w+;)/g, '&');
}

/** What PHP's `strip_tags()` takes for a tag. */
const TAG_START = /<(?!\s)[^>]*(?:>|$)/g;

/** Elements around which lines do not end, by what a text contains that has them. */
const JOINED = RULES.joined.map(({ contained, rules }) => [new RegExp(contained), compile(rules)] as const);

/** Wraps loose text in paragraphs and ends its lines with `<br />`, as `wpautop()` does. */
export function addParagraphs(html: string): string {
  if (html.trim() === '') return '';
  const preformatted: string[] = [];
  const separated = replaceAll(takePreformatted(`${html}\n`, preformatted), SEPARATED).replace(
    /\r\n?/g,
    '\n',
  );
  // A line break within a tag ends no line of the text.
  const marked = splitHtml(separated).map((token, index) =>
    index % 2 === 0 ? token : token.replaceAll('\n', ` ${MARK} `),
  );
  const joined = JOINED.reduce(
    (text, [contained, rules]) => (contained.test(text) ? replaceAll(text, rules) : text),
    marked.join(''),
  );
  const paragraphs = joined.split(/\n[\t-\r ]*\n/).filter((paragraph) => paragraph !== '');
  const wrapped = paragraphs.map((paragraph) => `<p>${trimNewlines(paragraph)}</p>\n`).join('');
  return replaceAll(breakLines(replaceAll(wrapped, UNWRAPPED)), UNBROKEN)
    .replace(PREFORMATTED, (_, index: string) => preformatted[Number(index)] ?? '')
    .replace(new RegExp(` ${MARK} |${MARK}`, 'g'), '\n');
}

const PREFORMATTED = new RegExp(`<pre ${MARK}(\\d+)></pre>`, 'g');

/** Puts an element with a number in the place of each preformatted text. */
function takePreformatted(html: string, preformatted: string[]): string {
  if (!html.includes('<pre')) return html;
  const parts = html.split('</pre>');
  const last = parts.pop() ?? '';
  const kept = parts.map((part) => {
    const start = part.indexOf('<pre');
    if (start === -1) return part;
    const index = preformatted.push(`${part.slice(start)}</pre>`) - 1;
    return `${part.slice(0, start)}<pre ${MARK}${index}></pre>`;
  });
  return kept.join('') + last;
}

function trimNewlines(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}

/** Ends each line with a break, except in scripts, styles and drawings. */
function breakLines(html: string): string {
  const unclosed = new Set<string>();
  let [result, from] = ['', 0];
  for (const { index, 1: name = '' } of html.matchAll(/<(script|style|svg|math)/g)) {
    if (index < from || unclosed.has(name)) continue;
    const end = html.indexOf(`</${name}>`, index);
    if (end === -1) unclosed.add(name);
    else {
      result += endLines(html.slice(from, index)) + html.slice(index, end);
      from = end;
    }
  }
  return result + endLines(html.slice(from));
}

/** Puts a break in the place of the white space before a line break that follows no other break. */
function endLines(html: string): string {
  return html.replace(/[\t-\r ]+/g, (white, at: number) => {
    const isBroken = html.endsWith('<br />', at);
    const last = white.lastIndexOf('\n');
    if (last < (isBroken ? 1 : 0)) return white;
    return `${isBroken ? white[0] : ''}<br />\n${white.slice(last + 1)}`;
  });
}

/** The maximal length of a slug, in characters of a URL. */
export const MAX_SLUG_LENGTH = 200;

/** Letters that no accent separates from a basic one. */
const LETTERS: Readonly<Record<string, string>> = RULES.letters;

/** Characters that become a hyphen: no-break space, dashes, spaces of a fixed width. */
const SEPARATORS =
  /[\u00a0\u2013\u2014\u2000-\u200a\u2028\u2029\u202f]|&(?:nbsp|#160|ndash|#8211|mdash|#8212);|\//g;

/** Signs that vanish: quotes, bullets, marks of rights and of direction, accents that stand alone. */
const VANISHING =
  /[\u00ad\u00a1\u00bf\u00ab\u00bb\u2039\u203a\u2018-\u201f\u2022\u00a9\u00ae\u00b0\u2026\u2122\u00b4\u02ca\u200b-\u200f\u202a-\u202e\ufeff\ufffc]|\u0300|\u0301|\u0304|\u030c|\u0341/g;

/**
 * Converts a title to a slug as `sanitize_title()` does: lower case, without accents, with hyphens for spaces, dots and slashes
 * and nothing for other signs. Letters that are not Latin are percent-encoded.
 */
export function sanitizeTitle(title: string): string {
  const plain = removeAccents(title.replace(TAG_START, ''))
    // An octet that is encoded already stays, and other percent signs vanish.
    .replace(/%(?![a-f\d]{2})/gi, '')
    .toLowerCase();
  const encoded = encodeLetters(
    cutEncoded(plain).replace(SEPARATORS, '-').replace(VANISHING, '').replaceAll('×', 'x'),
  );
  return encoded
    .replace(/&[^\n][^;\n]*;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

function removeAccents(text: string): string {
  return text.replace(
    /[\u0080-\u017f\u0251\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u1ea0-\u1ef9\u20ac]/g,
    (letter) => {
      const lower = letter.toLowerCase();
      return (
        LETTERS[lower] ??
        (/\p{L}/u.test(letter) ? letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '') : letter)
      );
    },
  );
}

/** Cuts a text where its percent-encoded form would be too long. A cut within a letter would make a URL invalid. */
function cutEncoded(text: string): string {
  let length = 0;
  let cut = '';
  for (const letter of text) {
    length += letter < '\u0080' ? 1 : encodeLetters(letter).length;
    if (length > MAX_SLUG_LENGTH) break;
    cut += letter;
  }
  return cut;
}

function encodeLetters(text: string): string {
  return text.replace(/[^\0-\u007f]+/gu, (letters) =>
    encodeURIComponent(letters.replace(/\p{Cs}/gu, '\ufffd')).toLowerCase(),
  );
}
