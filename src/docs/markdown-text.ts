/** Escapes a text for Markdown: one line on which nothing is markup, HTML included. */
export function toMarkdownText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim();
}

/** A code span. Its delimiter is longer than any run of backticks in the text. */
export function toMarkdownCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$/.test(line) ? ' ' : '';
  return line === '' ? '' : `${fence}${space}${line}${space}${fence}`;
}

/** A code block. Its fence is longer than any run of backticks in the code. */
export function toMarkdownBlock(code: string, language: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
