/** `sanitize_text_field()`: removes tags and percent-escapes, and joins lines and white space to single spaces. */
export function sanitizeTextField(text: string): string {
  return sanitizePlainText(text, (line) => line.replace(/[\r\n\t ]+/g, ' '));
}

/** `sanitize_textarea_field()`: like {@link sanitizeTextField}, but preserves lines. */
export function sanitizeTextarea(text: string): string {
  return sanitizePlainText(text, (lines) => lines);
}

function sanitizePlainText(text: string, normalizeWhiteSpace: (text: string) => string): string {
  const bare = normalizeWhiteSpace(stripTags(text)).trim();
  const cleaned = removePercentEscapes(bare);
  return cleaned === bare ? cleaned : cleaned.replace(/ +/g, ' ').trim();
}

/** Removes percent-escapes such as `%41`, repeatedly: in `%4%411` the removal of `%41` leaves another one. */
function removePercentEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const kept: string[] = [];
  for (const unit of text.split('')) {
    kept.push(unit);
    const isEscape = kept.at(-3) === '%' && isHex(kept.at(-2)) && isHex(unit);
    if (isEscape) kept.length -= 3;
  }
  return kept.join('');
}

function isHex(unit: string | undefined): boolean {
  return unit !== undefined && /^[0-9a-f]$/i.test(unit);
}

/** `wp_strip_all_tags()` in one pass. Scripts and styles are removed with their content. */
function stripTags(text: string): string {
  if (!text.includes('<')) return text;
  const findClosingTag = createClosingTagFinder(text);
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at);
    if (open < 0) return kept + text.slice(at);
    kept += text.slice(at, open);
    if (!/[a-z/!?]/i.test(text[open + 1] ?? '')) {
      kept += '&lt;';
      at = open + 1;
      continue;
    }
    const close = text.indexOf('>', open);
    if (close < 0) return kept;
    const code = /^<(script|style)/i.exec(text.slice(open, open + 7))?.[1];
    at = (code === undefined ? null : findClosingTag(code.toLowerCase(), close + 1)) ?? close + 1;
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
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
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
