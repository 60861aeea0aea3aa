/** What WordPress makes of text before it keeps it. */

/** `sanitize_text_field()`: no tags, no percent-escapes, one line, single spaces. */
export function sanitizeTextField(text: string): string {
  return clean(text, (line) => line.replace(/[\r\n\t ]+/g, ' '));
}

/** `sanitize_textarea_field()`: the same with its lines kept. */
export function sanitizeTextarea(text: string): string {
  return clean(text, (lines) => lines);
}

function clean(text: string, shape: (text: string) => string): string {
  const bare = shape(stripTags(text)).trim();
  let cleaned = bare;
  // Removing one escape may make another of what stood around it.
  for (let before = ''; before !== cleaned; ) {
    before = cleaned;
    cleaned = cleaned.replace(/%[a-f0-9]{2}/gi, '');
  }
  return cleaned === bare ? cleaned : cleaned.replace(/ +/g, ' ').trim();
}

/** `wp_strip_all_tags()`, in one pass: scripts and styles go with what they hold. */
export function stripTags(text: string): string {
  if (!text.includes('<')) return text;
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
    at = afterElement(text, open, close + 1);
  }
  return kept;
}

/** Behind the tag, or behind the whole element where it is code. */
function afterElement(text: string, open: number, after: number): number {
  const name = /^<(script|style)\b/i.exec(text.slice(open, open + 8))?.[1];
  if (name === undefined) return after;
  const end = text.toLowerCase().indexOf(`</${name.toLowerCase()}>`, after);
  return end < 0 ? after : end + name.length + 3;
}

const PROTOCOLS: ReadonlySet<string> = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
);

/** `sanitize_url()`: what may not stand in an address goes; another scheme than the usual ones leaves nothing. */
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
  return scheme === undefined || PROTOCOLS.has(scheme.toLowerCase()) ? whole : '';
}
