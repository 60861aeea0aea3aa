import { fieldValue } from '../../http/fields.ts';

/**
 * The text of a response: what stays of HTML, a feed or JSON when its markup is taken off. The same value has the same text in each of
 * them, so a page can be searched for what a REST response says a field was.
 */

/** Characters of a body that are searched. A longer one counts as containing everything. */
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

const JSON_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: ' ', r: ' ', t: ' ', b: ' ', f: ' ', '"': '"', '/': '/', '\\': '\\' }),
);

/**
 * Returns the text of a body or of a value in it: first what is between the tags, then the values of their attributes. White space is
 * collapsed.
 */
export function plainText(body: string): string {
  return listTexts(body).at(-1) ?? '';
}

/** Whether the text of a response contains one of the texts, or may contain it. @param texts as {@link plainText} returns them */
export function containsAny(
  { body, headers }: { readonly headers: readonly string[]; readonly body: Uint8Array },
  texts: readonly string[],
): boolean {
  const coding = fieldValue(headers, 'content-encoding') ?? 'identity';
  const charset = /charset="?([\w-]+)/i.exec(fieldValue(headers, 'content-type') ?? '')?.[1] ?? 'utf-8';
  if (coding !== 'identity' || charset.toLowerCase() !== 'utf-8' || body.byteLength > MAX_LENGTH) return true;
  const found = listTexts(new TextDecoder().decode(body));
  return texts.some((text) => found.some((each) => each.includes(text)));
}

/**
 * Takes off markup once, and again if references or escapes in it stood for markup, as in feeds. Both texts count: `&lt;b&gt;` may be
 * text that shows a tag.
 */
function listTexts(body: string): readonly string[] {
  const once = toText(body);
  return once.includes('<') ? [once, toText(once)] : [once];
}

function toText(markup: string): string {
  return decodeReferences(withoutTags(decodeJsonEscapes(markup)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** JSON is the body of a REST response, and of scripts in pages. */
function decodeJsonEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|([nrtbf"/\\]))/gi, (_, code: string | undefined, name: string) =>
    code === undefined ? (JSON_ESCAPES.get(name) ?? ' ') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** What may begin a tag, a comment or a CDATA section. Any other `<` is text. */
const TAG_START = /[a-z/!?]/i;
const CDATA_START = '<![CDATA[';

/** Each character is visited once, whatever the markup. */
function withoutTags(markup: string): string {
  let text = '';
  let attributes = '';
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
    attributes += listAttributeValues(markup.slice(open, close));
    at = close + 1;
  }
  return `${text}${markup.slice(at)} ${attributes}`.replaceAll(']]>', ' ');
}

function listAttributeValues(tag: string): string {
  let values = '';
  for (const [, double, single] of tag.matchAll(/=\s?(?:"([^"]*)"|'([^']*)')/g))
    values += ` ${double ?? single}`;
  return values;
}
