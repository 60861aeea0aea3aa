import type { CommandIo } from './io.ts';

/** Lines that are not wrapped: commands that a reader copies, and rows of tables. */
const UNBROKEN = /^\s*(?:npx|curl|claude|waygate|docker) |\S {2,}\S/;

/** Words and their colours (ECMA-48, SGR): red, yellow and green. */
const COLOURS: readonly (readonly [pattern: RegExp, colour: number])[] = [
  [/(?<=: )error(?=: )|\bbreaking\b|(?<=: )(?:down|failing|not ready)\b/gi, 31],
  [/(?<=: )warning(?=: )|(?<=: )(?:slow|limited)(?=[ :])/g, 33],
  [/(?<=: )(?:good|ready|no problems)(?=[ .])/g, 32],
];

export function allowsColours(env: CommandIo['env']): boolean {
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function formatForTerminal(text: string, columns: number, hasColours: boolean): string {
  const wrapped = text
    .split('\n')
    .map((line) => (UNBROKEN.test(line) ? line : wrapLine(line, columns)))
    .join('\n');
  if (!hasColours) return wrapped;
  return COLOURS.reduce(
    (painted, [pattern, colour]) => painted.replace(pattern, (word) => paint(word, colour)),
    wrapped,
  );
}

export function paint(text: string, colour: number): string {
  return `\u001b[${colour}m${text}\u001b[39m`;
}

function wrapLine(line: string, columns: number): string {
  if (line.length <= columns || columns < 20) return line;
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(' ', columns);
    const end = at >= indent.length ? at : rest.indexOf(' ', columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end));
    rest = indent + rest.slice(end + 1);
  }
  return [...lines, rest].join('\n');
}
