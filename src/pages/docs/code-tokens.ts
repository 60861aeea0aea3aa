/** Coloured tokens of JSON and samples, in linear time. An unclosed text reaches to the end of the code. */
const TOKENS =
  /(?<name>(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?=\s?:)|(?<=\s)--[\w-]+|(?<![\w$])[\w$]+(?=:\s))|(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.|'\\'')*'?|`(?:[^`\\]|\\.)*`?)|(?<word>-?\b\d[\w.+-]*|\b(?:await|const|echo|from|import|new|null|true|false|None|True|False)\b)/gs;

const KINDS = ['name', 'text', 'word'] as const;

export interface CodeToken {
  readonly look: `code-${(typeof KINDS)[number]}` | undefined;
  readonly code: string;
}

export function tokenizeCode(code: string): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const [matched] = match;
    if (match.index > end) tokens.push({ look: undefined, code: code.slice(end, match.index) });
    const kind = KINDS.find((each) => match.groups?.[each] !== undefined);
    tokens.push({ look: kind && `code-${kind}`, code: matched });
    end = match.index + matched.length;
  }
  if (end < code.length) tokens.push({ look: undefined, code: code.slice(end) });
  return tokens;
}
