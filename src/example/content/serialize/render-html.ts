/** A block element at the start of a text, which then needs no paragraph. */
const BLOCK_ELEMENT = /^<\/?(?:p|h[1-6]|ul|ol|li|div|figure|blockquote|pre|table|hr)\b/i;

/** The maximal length of a generated excerpt, in words. */
const EXCERPT_WORDS = 55;

/** Renders content: removes block comments and wraps loose text in paragraphs (a short wpautop). */
export function renderContent(raw: string): string {
  const text = stripBlockComments(raw).replace(/\r\n?/g, '\n');
  const pieces = text
    .split(/\n{2,}/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  if (pieces.length === 0) return '';
  return `${pieces.map((piece) => (BLOCK_ELEMENT.test(piece) ? piece : toParagraph(piece))).join('\n\n\n\n')}\n`;
}

/** Renders the excerpt, or the first words of the content if the excerpt is empty. */
export function renderExcerpt(excerpt: string, content: string, words: number = EXCERPT_WORDS): string {
  if (excerpt.trim() !== '') return `${toParagraph(excerpt.trim())}\n`;
  const all = stripTags(renderContent(content))
    .split(/\s+/)
    .filter((word) => word !== '');
  if (all.length === 0) return '';
  const text = all.slice(0, Math.max(0, words)).join(' ');
  return `${toParagraph(all.length > words ? `${text} [&hellip;]` : text)}\n`;
}

/** The version of the block format: 1 if the content has blocks, else 0. */
export function getBlockVersion(raw: string): number {
  return raw.includes('<!-- wp:') ? 1 : 0;
}

/** Uses `indexOf` because a regular expression could be slow on hostile text. */
function stripBlockComments(raw: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = raw.indexOf('<!--'); at !== -1; at = raw.indexOf('<!--', from)) {
    const end = raw.indexOf('-->', at);
    if (end === -1) break;
    const mark = /^<!--\s{0,9}\/?wp:/.test(raw.slice(at, at + 20));
    kept.push(raw.slice(from, mark ? at : end + 3));
    from = end + 3;
  }
  return kept.join('') + raw.slice(from);
}

export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, '');
}

function toParagraph(text: string): string {
  return `<p>${text.replaceAll('\n', '<br />\n')}</p>`;
}
