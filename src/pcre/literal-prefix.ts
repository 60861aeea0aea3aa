export interface LiteralPrefix {
  /** The text up to the last slash before anything but text; `/` at the least. */
  readonly text: string;
  /** The one name that a group of the pattern has, if there is exactly one. */
  readonly name: string | undefined;
}

/** What can be said of a route whose pattern cannot be read. */
export function literalPrefix(pattern: string): LiteralPrefix {
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // The last character may belong to a quantifier; the text up to the last slash does not. And where a `|` may stand
  // at the top, not even the beginning is sure.
  const path = hasTopBar(pattern) ? '' : text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { text: path === '' ? '/' : path, name: names.length === 1 ? names[0] : undefined };
}

/** Whether a `|` seems to stand outside of all parentheses: as well as can be said without reading the pattern. */
function hasTopBar(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*\]|[()|]/gs)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth <= 0) return true;
  }
  return false;
}
