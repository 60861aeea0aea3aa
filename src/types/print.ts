export const LINE_WIDTH = 100;

/** The text of a member up to its type. */
const MEMBER_START = /^(?:"(?:[^"\\]|\\.)*"|[\w$]+|\[k: string\])\??: /;

/** Characters that are invisible or change the direction of text (CVE-2021-42574). */
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Stands before the names of properties that every object has: the compiler calls `hasOwnProperty`. */
const GUARD = '\u0002';

const GUARDED_NAME = /^"\\u0002/;

/** Makes a property's name safe for the compiler. {@link layOutType} restores it. */
export function guardName(name: string): string {
  return name in {} || name.startsWith(GUARD) ? GUARD + name : name;
}

/** An object with one member on one line, without a comment. */
const ONLY_MEMBER = /\{\n([^\n/ *}][^\n{]{0,60})\n\}/g;

/**
 * Lays out a type as the compiler prints it: a line for each member, no indentation, unions in parentheses. The members are
 * indented, comments of one line are on one, and long unions on several.
 */
export function layOutType(text: string): string {
  let indent = '';
  const lines = escapeInvisible(text)
    .replace(/\/\*\*\n \* ([^\n]*)\n \*\//g, '/** $1 */')
    .replace(ONLY_MEMBER, (object, member: string, at) =>
      at > 0 || member.startsWith('[') ? `{ ${printMember(member)} }` : object,
    )
    .split('\n')
    .map((line, at, { length }) => {
      if (/^(?:\/\*\*| \*)/.test(line)) return (indent + line).trimEnd();
      if (line.startsWith('}')) indent = indent.slice(2);
      const opens = line.endsWith('{');
      const printed = wrapUnion(`${printMember(line)}${opens || at === length - 1 ? '' : ';'}`, indent);
      if (opens) indent += '  ';
      return printed;
    });
  return withoutParentheses(lines.join('\n'));
}

export function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The compiler writes parentheses around a union or an intersection, wherever it is. */
function withoutParentheses(type: string): string {
  return type.startsWith('(') && type.endsWith(')') ? type.slice(1, -1) : type;
}

function printMember(line: string): string {
  const { length } = MEMBER_START.exec(line)?.[0] ?? '';
  return line.slice(0, length).replace(GUARDED_NAME, '"') + withoutParentheses(line.slice(length));
}

/** Breaks a line that is too long between the members of unions. */
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

/** Prints a banner and the sections that have a text, each below its heading. The text is created in parts. */
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

/** A section heading as wide as a line: `// ── title ───…`. */
function printHeading(title: string): string {
  const start = `// ── ${title} `;
  return `${start}${'─'.repeat(Math.max(3, LINE_WIDTH - start.length))}\n`;
}
