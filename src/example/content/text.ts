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

const SPACE = '(?:[\\r\\n\\t ]|\\u00a0|&nbsp;)';
const START = `(?<=^|${SPACE})`;
const CLOSING_CONTEXT = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${SPACE})`;

/** Marks of quotes that are settled. In a text, which XML forbids to contain them, they become such quotes. */
const [OPEN, APOSTROPHE] = ['\u0001', '\u0002'] as const;

/** Words that begin with an apostrophe. */
const ELIDED = [
  "'tain't",
  ...["'twere", "'twas", "'tis", "'twill", "'til"],
  ...["'bout", "'nuff", "'round", "'cause", "'em"],
];

const FIXED: readonly (readonly [string, string])[] = [
  ['...', '&#8230;'],
  ['``', '&#8220;'],
  ["''", '&#8221;'],
  [' (tm)', ' &#8482;'],
  ...ELIDED.map((word) => [word, word.replaceAll("'", '&#8217;')] as const),
];

const DASHES: readonly (readonly [RegExp, string])[] = [
  [/---/g, '&#8212;'],
  [new RegExp(`${START}--(?=$|${SPACE})`, 'g'), '&#8212;'],
  [/(?<!xn)--/g, '&#8211;'],
  [new RegExp(`${START}-(?=$|${SPACE})`, 'g'), '&#8211;'],
];

const SINGLE: readonly (readonly [RegExp, string])[] = [
  // '99' at the end of a quotation.
  [new RegExp(`'(\\d\\d)'${CLOSING_CONTEXT}`, 'g'), `${APOSTROPHE}$1&#8217;`],
  [new RegExp(`'(\\d\\d)"${CLOSING_CONTEXT}`, 'g'), `${APOSTROPHE}$1&#8221;`],
  // '99 is a year, '99% and '99.5 are not.
  [/'(?=\d\d(?:$|(?![%\d]|[.,]\d)))/g, APOSTROPHE],
  [new RegExp(`${START}'(\\d[.,\\d]*)'`, 'g'), `${OPEN}$1&#8217;`],
  [new RegExp(`(?<=^|[([{"\\-]|&lt;|${SPACE})'`, 'g'), OPEN],
  [new RegExp(`(?<!${SPACE})'(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${SPACE})`, 'g'), APOSTROPHE],
];

const DOUBLE: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${START}"(\\d[.,\\d]*)"`, 'g'), `${OPEN}$1&#8221;`],
  [new RegExp(`(?<=^|[([{\\-]|&lt;|${SPACE})"(?!${SPACE})`, 'g'), OPEN],
];

function replaceAll(text: string, rules: readonly (readonly [RegExp, string])[]): string {
  return rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

function texturizeText(text: string): string {
  let result = FIXED.reduce((found, [plain, typographic]) => found.replaceAll(plain, typographic), text);
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
  const candidates = new RegExp(`${quote}${CLOSING_CONTEXT}`, 'g');
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

const BLOCKS = new Set(
  `table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area blockquote address math style
  p h1 h2 h3 h4 h5 h6 hr fieldset legend section article aside hgroup header footer nav figure figcaption details menu
  summary`.split(/\s+/),
);

/** Elements before which no line break stands. */
const BREAKLESS = new Set('p li div dl dd dt th pre td ul ol'.split(' '));

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
}

/** The block element that a tag opens or closes. */
function readBlock(token: string): Tag | undefined {
  const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/.exec(token) ?? [];
  return BLOCKS.has(name) ? { name, isClosing: slash === '/' } : undefined;
}

/** Renders a title: typographic characters, and no ampersand that is not an entity of two letters or more. */
export function renderTitle(title: string): string {
  return texturize(title)
    .replace(/&([^#])(?![a-z1-4]{1,8};)/gi, '&#038;$1')
    .replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '');
}

/** Wraps loose text in paragraphs and ends its lines with `<br />`, as `wpautop()` does. */
export function addParagraphs(html: string): string {
  if (html.trim() === '') return '';
  const pieces = splitPieces(html.replace(/\r\n?/g, '\n')).map(wrapPiece);
  const lines = pieces.map((piece, index) => {
    // Text of a list item that another block element follows ends with a break, because no paragraph ends it.
    const next = readBlock((pieces[index + 1] ?? '').trimStart());
    const isLoose = next !== undefined && !BREAKLESS.has(next.name) && /^\s*<li[\s>]/.test(piece);
    return isLoose && readBlock(/<[^<>]*>$/.exec(piece)?.[0] ?? '') === undefined ? `${piece}<br />` : piece;
  });
  return `${lines.join('\n')}\n`;
}

/** Splits HTML at empty lines, before a block element begins and after it ends. */
function splitPieces(html: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let verbatim = 0;
  const flush = (): void => {
    if (piece.trim() !== '') pieces.push(trimNewlines(piece));
    piece = '';
  };
  const tokens = splitHtml(html.replace(/<br\s*\/?>\s*<br\s*\/?>/g, '\n\n'));
  for (const [index, token] of tokens.entries()) {
    const found = index % 2 === 0 ? undefined : readBlock(token);
    // A caption stays in the piece of its figure, without space around it.
    const block = found?.name === 'figcaption' ? undefined : found;
    if (found !== block && found?.isClosing === false) piece = piece.trimEnd();
    const isAfterCaption = /^<\/figcaption>/.test(tokens[index - 1] ?? '');
    if (block?.name === 'pre') verbatim = block.isClosing ? 0 : 1;
    const isWhole = block !== undefined && (block.isClosing || block.name === 'hr');
    if (block !== undefined && !block.isClosing) flush();
    if (index % 2 === 1 || verbatim > 0) {
      piece += BREAK.test(token) && verbatim === 0 ? '<br />' : token;
    } else {
      for (const [at, paragraph] of (isAfterCaption ? token.trimStart() : token).split(/\n\s*\n/).entries()) {
        if (at > 0) flush();
        piece += paragraph;
      }
    }
    if (isWhole) flush();
  }
  flush();
  return pieces;
}

function trimNewlines(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}

const BREAK = /^<br\s*\/?>$/;

/** Wraps a piece in a paragraph, unless a block element begins or ends it. */
function wrapPiece(piece: string): string {
  const tokens = splitHtml(piece);
  const isText = (index: number): boolean => index % 2 === 0 && (tokens[index] ?? '').trim() !== '';
  const first = isText(0) ? undefined : readBlock(tokens[1] ?? '');
  const last = isText(tokens.length - 1) ? undefined : readBlock(tokens.at(-2) ?? '');
  if (first?.name === 'pre' && !first.isClosing) return piece;
  const html = tokens.map((token, index) => (index % 2 === 1 ? token : breakLines(tokens, index))).join('');
  const isAlone = tokens.length === 3 && !isText(0) && !isText(2);
  const isQuote = (tag: Tag | undefined): boolean => tag?.name === 'blockquote' && !isAlone;
  const isItem = first?.name === 'li' && !piece.includes('\n');
  let wrapped = first === undefined ? html : html.trimStart();
  if (last !== undefined) wrapped = wrapped.trimEnd();
  if (first === undefined) wrapped = `<p>${wrapped}`;
  else if (isQuote(first) && !first.isClosing) wrapped = wrapped.replace(/^\s*<[^>]*>/, (tag) => `${tag}<p>`);
  if (last === undefined) return isItem ? wrapped : `${wrapped}</p>`;
  if (isQuote(last) && last.isClosing) return wrapped.replace(/<\/blockquote>$/, '</p></blockquote>');
  const endsLoose = first === undefined && last.isClosing && tokens.length === 3 && isText(0);
  return endsLoose && LOOSE.has(last.name) ? wrapped.replace(/<[^<]*$/, (tag) => `</p>${tag}`) : wrapped;
}

/** Elements that get the end of the paragraph which they end. */
const LOOSE = new Set(['div', 'address', 'form']);

/** Ends the lines of a text with `<br />`, except beside block elements and other breaks. */
function breakLines(tokens: readonly string[], index: number): string {
  const text = tokens[index] ?? '';
  const [before, after] = [tokens[index - 1] ?? '', tokens[index + 1] ?? ''];
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      if (at === lines.length - 1) return line;
      const isAfterTag = at === 0 && line.trim() === '';
      const isBeforeTag = at === lines.length - 2 && (lines.at(-1) ?? '').trim() === '';
      if (isAfterTag && (before === '<br />' || readBlock(before) !== undefined)) return '\n';
      const next = isBeforeTag ? readBlock(after) : undefined;
      const isBreakless = next !== undefined && (BREAKLESS.has(next.name) || next.name === 'blockquote');
      return isBreakless ? `${line.trimEnd()}\n` : `${line.trimEnd()}<br />\n`;
    })
    .join('');
}

/** The maximal length of a slug, in characters of a URL. */
export const MAX_SLUG_LENGTH = 200;

/** Letters that no accent separates from a basic one. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{
    ª: 'a',
    º: 'o',
    ß: 's',
    æ: 'ae',
    ø: 'o',
    ð: 'd',
    þ: 'th',
    đ: 'd',
    ħ: 'h',
    ı: 'i',
    ĳ: 'ij',
    ĸ: 'k',
    ŀ: 'l',
    ł: 'l',
  },
  ...{ ŉ: 'n', ŋ: 'n', œ: 'oe', ŧ: 't', ſ: 's', ɑ: 'a', '€': 'e', '£': '' },
};

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
  const plain = removeAccents(title.replace(/<(?!\s)[^>]*(?:>|$)/g, ''))
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
