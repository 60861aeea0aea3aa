export interface LiteralPrefix {
  /** Literal text up to the last slash before any other construct; at least `/`. */
  readonly text: string;
  /** The name of the only named group; `undefined` if the pattern has none or several. */
  readonly groupName: string | undefined;
}

/** Extracts the literal prefix of a route pattern that does not parse. */
export function extractLiteralPrefix(pattern: string): LiteralPrefix {
  const text = /^(?:[\w/.~-]|\\[/.-])*/.exec(pattern)?.[0] ?? '';
  // A quantifier may apply to the last character, but not to the text up to the last slash. A top-level `|` makes even the
  // beginning uncertain.
  const path = hasTopLevelAlternation(pattern)
    ? ''
    : text.slice(0, text.lastIndexOf('/') + 1).replaceAll('\\', '');
  const names = [...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name);
  return { text: path === '' ? '/' : path, groupName: names.length === 1 ? names[0] : undefined };
}

/** Whether a `|` seems to be outside of all parentheses. This is a guess, because the pattern does not parse. */
function hasTopLevelAlternation(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*\]|[()|]/gs)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === '|' && depth <= 0) return true;
  }
  return false;
}
