export const LINE_WIDTH = 100;

const MEMBER_START = /^(?:"(?:[^"\\]|\\.)*"|[\w$]+|\[k: string\])\??: /;

/** Characters that are invisible or change the direction of text (CVE-2021-42574). */
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Stands before names such as `hasOwnProperty`, which the compiler calls. */
const GUARD = '\u0002';

const GUARDED_NAME = /^"\\u0002/;

export function guardName(name: string): string {
  return name in {} || name.startsWith(GUARD) ? GUARD + name : name;
}

const ONLY_MEMBER = /\{\n([^\n/ *}][^\n{]{0,60})\n\}/g;

/**
 * Lays out the compiler's text, which has no indentation: indents members, joins short comments, and breaks
 * long unions.
 */
export function layOutType(text: string): string {
  let indent = '';
  const lines = escapeInvisible(text)
    .replace(/\/\*\*\n \* ([^\n]*)\n \*\//g, '/** $1 */')
    .replace(ONLY_MEMBER, (object, member: string, at) =>
      at > 0 || member.startsWith('[') ? `{ ${printMember(member)} }` : object,
    )
    .split('\n');
  const laidOut = unwrapObjects(lines).map((line, at, { length }) => {
    if (COMMENT.test(line)) return (indent + line).trimEnd();
    if (line.startsWith('}')) indent = indent.slice(2);
    const opens = line.endsWith('{');
    const printed = wrapUnion(`${printMember(line)}${opens || at === length - 1 ? '' : ';'}`, indent);
    if (opens) indent += '  ';
    return printed;
  });
  return withoutParentheses(laidOut.join('\n'));
}

const COMMENT = /^(?:\/\*\*| \*)/;

/** Removes the parentheses around members whose types have several lines. */
function unwrapObjects(lines: readonly string[]): readonly string[] {
  const unwrapped = [...lines];
  const open: number[] = [];
  for (const [at, line] of lines.entries()) {
    const [opens, closes] = [line.endsWith('{'), line.startsWith('}')];
    if (COMMENT.test(line) || opens === closes) continue;
    if (opens) open.push(at);
    else {
      const first = open.pop() ?? 0;
      const start = lines[first] ?? '';
      const { length } = MEMBER_START.exec(start)?.[0] ?? '';
      if (length === 0 || start[length] !== '(' || !line.endsWith(')')) continue;
      unwrapped[first] = start.slice(0, length) + start.slice(length + 1);
      unwrapped[at] = line.slice(0, -1);
    }
  }
  return unwrapped;
}

export function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes the parentheses that the compiler puts around every union and intersection, if they are one pair. */
function withoutParentheses(type: string): string {
  if (!type.startsWith('(') || !type.endsWith(')')) return type;
  let depth = 0;
  for (const { 0: token, index } of type.matchAll(PARENTHESIS)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    if (depth === 0 && index < type.length - 1) return type;
  }
  return type.slice(1, -1);
}

/** Strings and comments match as a whole, because they can contain parentheses. */
const PARENTHESIS = /"(?:[^"\\]|\\.)*"|\/\*\*[\s\S]*?\*\/|[()]/g;

function printMember(line: string): string {
  const { length } = MEMBER_START.exec(line)?.[0] ?? '';
  return line.slice(0, length).replace(GUARDED_NAME, '"') + withoutParentheses(line.slice(length));
}

export function wrapUnion(line: string, indent = ''): string {
  if (line.length + indent.length <= LINE_WIDTH) return indent + line;
  let column = 0;
  const broken = line.replace(UNION_MEMBER, (member) => {
    const isNext = column > 0 && column + member.length <= LINE_WIDTH;
    const start = isNext ? '' : `${column === 0 ? '' : '\n  '}${indent}`;
    column = (isNext ? column : start.length) + member.length;
    return start + member;
  });
  return broken.replaceAll(' \n', '\n');
}

const UNION_MEMBER = /(?:"(?:[^"\\]|\\.)*"|[^"|])+(?:\| |$)/g;

export function* printSections(
  banner: string,
  sections: readonly (readonly [title: string, parts: Iterable<string>])[],
): Generator<string> {
  yield banner;
  for (const [title, parts] of sections) {
    let heading = `\n${printHeading(title)}\n`;
    for (const part of parts) {
      if (part === '') continue;
      yield heading + part;
      heading = '';
    }
  }
}

function printHeading(title: string): string {
  const start = `// ── ${title} `;
  return `${start}${'─'.repeat(Math.max(3, LINE_WIDTH - start.length))}\n`;
}
