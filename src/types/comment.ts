import type { Json } from '../json.ts';

/** Longer descriptions are truncated: editors show them in a small window. */
const MAX_TEXT_LENGTH = 4_000;

/** Text of the site, escaped for a comment. A value that is not a string gives an empty text. */
export function toCommentText(value: Json | undefined): string {
  if (typeof value !== 'string') return '';
  return escapeCommentText(
    value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value,
  ).trim();
}

/** Text of the site on one line of at most 80 characters. */
export function toSingleLine(value: Json | undefined): string {
  return /^.{0,80}/u.exec(toCommentText(value).replace(/\s+/g, ' '))?.[0] ?? '';
}

/** A code span for a comment, fenced by more backticks than the code contains (CommonMark §6.1). */
export function toCodeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = longest === 0 ? '' : ' ';
  return escapeCommentText(`${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`);
}

/** Formats a TSDoc comment with a final line end, each line indented; empty for empty text. */
export function toTsDoc(text: string, indent: string): string {
  if (text === '') return '';
  if (!text.includes('\n') && text.length + indent.length <= 110) return `${indent}/** ${text} */\n`;
  const lines = text.split('\n').flatMap((line) => wrapLine(line, 108 - indent.length));
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/**
 * Escapes text for a comment. The result cannot close the comment, has no control characters and none that change the
 * direction of text (CVE-2021-42574), has `\n` as its only line end, and no word after an at-sign that TypeScript would
 * read as a tag, such as `@deprecated`.
 */
export function escapeCommentText(text: string): string {
  // Fast path: most texts contain nothing to escape.
  if (/^[ -~\n]*$/.test(text) && !/@|\*\/|\n\n\n/.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replaceAll('\t', ' ')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll('*/', '*\\/')
    .replace(/(^|\s)@(?=\p{L})/gu, '$1\\@')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= 0) break;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}
