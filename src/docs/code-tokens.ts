export type CodeLanguage = 'json' | 'shell' | 'javascript' | 'php' | 'python';

/** Coloured tokens by language, in linear time. A text without its end reaches to the end of the code. */
const TOKENS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*"?)|(?<word>-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b)/gs,
  shell: /(?<name>(?<=\s)--[\w-]+)|(?<text>(?:'[^']*(?:'|$)|\\')+)/g,
  javascript:
    /(?<name>'(?:[^'\\]|\\.)*'(?=:)|(?<![\w$])[\w$]+(?=:\s))|(?<text>'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<word>\b\d[\w.]*|\b(?:const|await|import|from|new|true|false|null)\b)/gs,
  php: /(?<name>\bCURL\w+|\$\w+)|(?<text>'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)|(?<word>\b\d[\w.]*|\b(?:new|true|false|null|echo)\b)/gs,
  python:
    /(?<name>'(?:[^'\\]|\\.)*'(?=:)|\b\w+(?==))|(?<text>'(?:[^'\\]|\\.)*'?)|(?<word>\b\d[\w.]*|\b(?:import|True|False|None)\b)/gs,
};

const KINDS = ['name', 'text', 'word'] as const;

export interface CodeToken {
  readonly look: `code-${(typeof KINDS)[number]}` | undefined;
  readonly code: string;
}

/** Splits code into tokens. Their codes, one after the other, are the code. This module runs in the browser too. */
export function tokenizeCode(code: string, language: CodeLanguage): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    const [matched] = match;
    if (match.index > end) tokens.push({ look: undefined, code: code.slice(end, match.index) });
    const kind = KINDS.find((each) => match.groups?.[each] !== undefined);
    tokens.push({ look: kind && `code-${kind}`, code: matched });
    end = match.index + matched.length;
  }
  if (end < code.length) tokens.push({ look: undefined, code: code.slice(end) });
  return tokens;
}
