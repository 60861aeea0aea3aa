import { splitNames } from '../../glob.ts';

/** `sanitize_text_field()`: removes tags and percent-escapes, and joins lines and white space to single spaces. */
export function sanitizeTextField(text: string): string {
  return sanitizePlainText(text, (line) => line.replace(/[\r\n\t ]+/g, ' '));
}

/** `sanitize_textarea_field()`: like {@link sanitizeTextField}, but preserves lines. */
export function sanitizeTextarea(text: string): string {
  return sanitizePlainText(text, (lines) => lines);
}

function sanitizePlainText(text: string, normalizeWhiteSpace: (text: string) => string): string {
  const stripped = stripTags(text);
  // What PHP strips is unknown. Unchanged, the text equals no other, so no list is refused for duplicates.
  if (stripped === null) return text;
  const bare = trimAsPhp(normalizeWhiteSpace(stripped));
  const cleaned = removePercentEscapes(bare);
  return cleaned === bare ? cleaned : trimAsPhp(cleaned.replace(/ +/g, ' '));
}

/** `trim()`: unlike JavaScript's, it keeps white space outside of ASCII, and form feeds. */
function trimAsPhp(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.includes(text[start] ?? '')) start += 1;
  while (end > start && TRIMMED.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

const TRIMMED = ' \t\n\r\0\v';

/** Removes percent-escapes such as `%41`, repeatedly: in `%4%411` the removal of `%41` leaves another one. */
function removePercentEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const kept: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    const { length } = kept;
    const isEscape = kept[length - 2] === '%' && isHex(kept[length - 1]) && isHex(unit);
    if (isEscape) kept.length -= 2;
    else kept.push(unit);
  }
  return kept.join('');
}

function isHex(unit: string | undefined): boolean {
  return unit !== undefined && HEX_DIGITS.has(unit);
}

const HEX_DIGITS: ReadonlySet<string> = new Set('0123456789abcdefABCDEF');

/** A tag that `strip_tags()` removes. It reads comments, declarations and unclosed quotes in other ways. */
const TAG = /<(?![ \t\n\v\f\r!?])(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*>/g;

/** `wp_pre_kses_less_than()` and `wp_strip_all_tags()`. Returns `null` if it is uncertain what PHP strips. */
function stripTags(text: string): string | null {
  if (!text.includes('<')) return text;
  const stripped = removeCode(escapeUnclosed(text)).replace(TAG, '');
  // A `<` before white space stays.
  return /<(?![ \t\n\v\f\r])|\0/.test(stripped) ? null : trimAsPhp(stripped).replaceAll('<\n', '&lt;\n');
}

/** `wp_pre_kses_less_than()`: escapes each `<` without a `>` before the next `<`, with the text up to there. */
function escapeUnclosed(text: string): string {
  // `$` matches before a last line feed too.
  return text.replace(/<[^<>]*>|<[^<>\n]*(?:\n+(?!$)[^<>\n]*)*/g, (part) =>
    part.endsWith('>') ? part : part.replace(/[<"']|&(?!#?\w+;)/g, (unit) => ENTITIES[unit] ?? unit),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '"': '&quot;',
  "'": '&#039;',
  '&': '&amp;',
};

/** Removes scripts and styles with their content. */
function removeCode(text: string): string {
  if (!/<(?:script|style)/i.test(text)) return text;
  const findClosingTag = createClosingTagFinder(text);
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at);
    const close = open < 0 ? -1 : text.indexOf('>', open);
    if (close < 0) return kept + text.slice(at);
    const code = /^<(script|style)/i.exec(text.slice(open, open + 7))?.[1];
    const end = code === undefined ? null : findClosingTag(code.toLowerCase(), close + 1);
    kept += text.slice(at, end === null ? open + 1 : open);
    at = end ?? open + 1;
  }
  return kept;
}

/** Creates a function that finds the end of a closing tag. It searches only once for a tag that is missing. */
function createClosingTagFinder(text: string): (name: string, from: number) => number | null {
  const lower = text.toLowerCase();
  const unclosed = new Set<string>();
  return (name, from) => {
    if (unclosed.has(name)) return null;
    const end = lower.indexOf(`</${name}>`, from);
    if (end < 0) unclosed.add(name);
    return end < 0 ? null : end + name.length + 3;
  };
}

const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(
  splitNames(
    'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn',
  ),
);

/** `sanitize_url()`: removes characters that a URL cannot contain. A scheme that is not allowed yields the empty string. */
export function sanitizeUrl(text: string): string {
  const url = text
    .trimStart()
    .replaceAll(' ', '%20')
    .replace(/[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi, '')
    .replace(/%0[da]/gi, '');
  if (url === '') return '';
  const whole =
    url.includes(':') || /^[/#?]/.test(url) || /^[a-z0-9-]+\.php/i.test(url) ? url : `http://${url}`;
  const scheme = /^([^/?#]*?):/.exec(whole)?.[1];
  if (scheme === undefined) return whole;
  // wp_kses_bad_protocol_once2()
  const lower = scheme.toLowerCase();
  return ALLOWED_SCHEMES.has(lower) ? lower + whole.slice(scheme.length) : '';
}
