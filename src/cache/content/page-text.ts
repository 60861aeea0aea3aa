import { encodeText } from '../../hash.ts';
import { fieldValue } from '../../http/fields.ts';
import { getOrCreate } from '../../memoize.ts';
import { decodeByteString, toByteString } from '../../php/encoding.ts';

/**
 * The text of a response: what stays of HTML, a feed or JSON when its markup is taken off. The same value has the same text in each of
 * them, so a page can be searched for what a REST response says a field was. Texts are byte strings: V8 makes these much faster than
 * strings of two bytes per character.
 */

/** Bytes of a body that are searched. A longer one counts as containing everything. */
const MAX_LENGTH = 512 * 1024;

/** Named references that WordPress writes (`ent2ncr()`, `esc_html()`, `wptexturize()`). Others stay as they are. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    hellip: '…',
    ndash: '–',
    mdash: '—',
  }),
);

/** What is between the tags, and the values of their attributes. */
interface MarkupText {
  readonly text: string;
  readonly attributes: string;
}

/**
 * Returns the text of a value without markup, or if it has none the values of attributes in it: in a page the two are not side by side.
 * White space is collapsed.
 */
export function plainText(value: string): string {
  const { attributes, text } = withoutMarkup(toBytes(value));
  return collapse(text.includes('<') ? withoutMarkup(text).text : text) || collapse(attributes);
}

function collapse(text: string): string {
  return decodeByteString(text).replace(/\s+/g, ' ').trim();
}

/**
 * The text of a body as one bit for each hash of {@link WINDOW} bytes in succession. A body contains a text only if the bits of all
 * windows of the text are set.
 */
type Fingerprint = Uint32Array;

const fingerprints = new WeakMap<Uint8Array, Fingerprint>();

/** The fingerprint of a body has this share of its bytes. */
export const FINGERPRINT_SHARE: number = 1 / 16;
/** Bytes that one hash is taken of. A text with fewer counts as contained. */
const WINDOW = 5;
/** By this the bytes before a window leave the 32 bits of its hash. */
const SHIFT = Math.ceil(32 / WINDOW);
/** Bits of a hash that name a bit within a word of a fingerprint. Those before them choose the word. */
const BIT_BITS = 5;

/** The hashes of the windows of a text, in ascending order: what a fingerprint is asked for. None if each body counts as containing it. */
export type TextHashes = readonly number[];

/**
 * Whether the text of a response contains one of the texts, or may contain it. The text is read once, and its fingerprint is kept as
 * long as the body.
 *
 * @param texts as {@link plainText} returns them, or their hashes
 */
export function containsAny(
  { body, headers }: { readonly headers: readonly string[]; readonly body: Uint8Array },
  texts: readonly (string | TextHashes)[],
): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? 'identity';
  const type = fieldValue(headers, 'content-type') ?? 'text/html';
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  const isText = coding === 'identity' && charset.toLowerCase() === 'utf-8' && /text|json|xml/i.test(type);
  if (!isText || body.byteLength > MAX_LENGTH) return true;
  const fingerprint = getOrCreate(fingerprints, body, createFingerprint);
  return hashTexts(texts).some((hashes) => mayContain(fingerprint, hashes));
}

function mayContain(fingerprint: Fingerprint, hashes: TextHashes): boolean {
  return hashes.every((hash) => ((fingerprint[wordOf(hash, fingerprint)] ?? 0) & bitOf(hash)) !== 0);
}

/** Hashes texts once for all bodies that are compared with them. Those that are hashed already stay as they are. */
export function hashTexts(texts: readonly (string | TextHashes)[]): readonly TextHashes[] {
  return texts.map((text) => (typeof text === 'string' ? hashWindows(text) : text));
}

/** Hashes a text, so that another process can look for it without being told the text. */
export function hashWindows(text: string): TextHashes {
  // What is no Unicode is written with other bytes in a body.
  if (/[\ufffd\p{Cs}]/u.test(text)) return [];
  const hashes = new Set<number>();
  visitWindows(toBytes(text), (hash) => hashes.add(hash));
  return [...hashes].sort((one, other) => one - other);
}

function wordOf(hash: number, { length }: Fingerprint): number {
  return ((hash >>> BIT_BITS) * length) >>> 16;
}

function bitOf(hash: number): number {
  return 1 << hash;
}

function createFingerprint(body: Uint8Array): Fingerprint {
  const { BYTES_PER_ELEMENT } = Uint32Array;
  const fingerprint = new Uint32Array(Math.ceil((body.byteLength * FINGERPRINT_SHARE) / BYTES_PER_ELEMENT));
  for (const text of listTexts(toByteString(body))) {
    visitWindows(text, (hash) => {
      const word = wordOf(hash, fingerprint);
      fingerprint[word] = (fingerprint[word] ?? 0) | bitOf(hash);
    });
  }
  return fingerprint;
}

/** Bytes of Unicode's white space outside of ASCII. Texts have a space in its place. */
const SPACE_BYTES = toBytes(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);
/** Bytes of letters and digits, for which a fingerprint stands. So neither white space nor punctuation matters. */
const COUNTED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return Number(byte < 0x80 ? /\w/.test(character) : !SPACE_BYTES.includes(character));
});

/** @param visit called with a hash of 21 bits for each window */
function visitWindows(text: string, visit: (hash: number) => void): void {
  let hash = 0;
  let counted = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text.charCodeAt(at);
    if (COUNTED[byte] === 0) continue;
    hash = (hash << SHIFT) ^ byte;
    counted += 1;
    if (counted < WINDOW) continue;
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
    visit(((mixed & 0xffff) << BIT_BITS) | (mixed >>> (32 - BIT_BITS)));
  }
}

/**
 * Takes off markup once, and again if references or escapes in it stood for markup, as in feeds. Both texts count: `&lt;b&gt;` may be
 * text that shows a tag.
 */
function listTexts(body: string): readonly string[] {
  const once = join(withoutMarkup(body));
  return once.includes('<') ? [once, join(withoutMarkup(once))] : [once];
}

function join({ attributes, text }: MarkupText): string {
  return `${text} ${attributes}`;
}

function withoutMarkup(body: string): MarkupText {
  const { attributes, text } = withoutTags(decodeJsonEscapes(body));
  return { text: decodeReferences(text), attributes: decodeReferences(attributes) };
}

/** JSON is the body of a REST response, and of scripts in pages. Two escapes are one character outside of the basic plane. */
function decodeJsonEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /((?:\\u[\da-f]{4})+)|\\([nrtbf"/\\])/gi,
    (_, codes: string | undefined, name: string) =>
      codes === undefined ? (name < 'A' || name === '\\' ? name : ' ') : toBytes(JSON.parse(`"${codes}"`)),
  );
}

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return toBytes(ENTITIES.get(name) ?? whole);
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? toBytes(String.fromCodePoint(code)) : whole;
  });
}

function toBytes(text: string): string {
  return toByteString(encodeText(text));
}

/** What may begin a tag, a comment or a CDATA section. Any other `<` is text. */
const TAG_START = /[a-z/!?]/i;
const CDATA_START = '<![CDATA[';

/** Each character is visited once, whatever the markup. */
function withoutTags(markup: string): MarkupText {
  let text = '';
  let tags = '';
  let at = 0;
  while (at < markup.length) {
    const open = markup.indexOf('<', at);
    if (open < 0) break;
    text += markup.slice(at, open);
    if (markup.startsWith(CDATA_START, open)) {
      at = open + CDATA_START.length;
      continue;
    }
    if (!TAG_START.test(markup[open + 1] ?? '')) {
      text += '<';
      at = open + 1;
      continue;
    }
    const close = markup.indexOf('>', open);
    // Without an end it is no tag, and no later one is.
    if (close < 0) {
      at = open;
      break;
    }
    text += ' ';
    at = close + 1;
    tags += markup.slice(open, at);
  }
  let attributes = '';
  for (const [, double, single] of tags.matchAll(ATTRIBUTE_VALUE)) attributes += ` ${double ?? single}`;
  text += markup.slice(at);
  return { text: text.replaceAll(']]>', ' '), attributes };
}

const ATTRIBUTE_VALUE = /=[\t\n\f\r ]*(?:"([^">]*)"|'([^'>]*)')/g;
