import { LINE_WIDTH } from './print.ts';

/** Joins a banner and the sections that have a text, each below its heading. */
export function printSections(
  banner: string,
  sections: readonly (readonly [title: string, text: string])[],
): string {
  const printed = sections.filter(([, text]) => text !== '');
  return [banner, ...printed.map(([title, text]) => `${printHeading(title)}\n${text}`)].join('\n');
}

/** A section heading as wide as a line: `// ── title ───…`. */
function printHeading(title: string): string {
  const start = `// ── ${title} `;
  return `${start}${'─'.repeat(Math.max(3, LINE_WIDTH - start.length))}\n`;
}
