import type { Json } from '../json.ts';

/** A description longer than this is cut: it is prose of the site, and an editor shows it in a small window. */
const MAX_TEXT_LENGTH = 4_000;

/** Text of the site, fit to stand in a comment. Anything but a string is no text. */
export function toCommentText(value: Json | undefined): string {
  if (typeof value !== 'string') {
    return '';
  }
  return escapeCommentText(value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value).trim();
}

/** The same on one line, cut where a line would be too long. */
export function toSingleLine(value: Json | undefined): string {
  return /^.{0,80}/u.exec(toCommentText(value).replace(/\s+/g, ' '))?.[0] ?? '';
}

/** A span of code in a comment, fenced by more backticks than it holds (CommonMark §6.1). */
export function toCodeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = longest === 0 ? '' : ' ';
  return escapeCommentText(`${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`);
}

/** A TSDoc comment with its line end, each line indented; empty for empty text. */
export function toTsDoc(text: string, indent: string): string {
  if (text === '') {
    return '';
  }
  if (!text.includes('\n') && text.length + indent.length <= 110) {
    return `${indent}/** ${text} */\n`;
  }
  const lines = text.split('\n').flatMap((line) => wrapLine(line, 108 - indent.length));
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/**
 * What a comment may hold: nothing that closes it, no control characters and none that turn the direction of text
 * around (CVE-2021-42574), line ends of one kind, and no word after an at-sign, which TypeScript would read as a tag
 * of its own, such as `@deprecated`.
 */
export function escapeCommentText(text: string): string {
  // Most texts are plain.
  if (/^[ -~\n]*$/.test(text) && !/@|\*\/|\n\n\n/.test(text)) {
    return text;
  }
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
    if (at <= 0) {
      break;
    }
    lines.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}
