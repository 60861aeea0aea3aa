export type CodeLanguage = 'json' | 'shell' | 'javascript';

/** What a part of a program is: a text, a number or another fixed word of the language, or the name of a value. */
export type TokenKind = 'text' | 'word' | 'name';

/** A part of a program. `kind` is `undefined` for what has no colour of its own. */
export interface CodeToken {
  readonly kind: TokenKind | undefined;
  readonly code: string;
}

/**
 * The tokens of each language that have a colour. Each matches in linear time, and a text without its end reaches to the
 * end of the code: a sample may be cut.
 */
const TOKENS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*"?)|(?<word>-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b)/gs,
  shell: /(?<name>(?<=\s)--[\w-]+)|(?<text>(?:'[^']*(?:'|$)|\\')+)/g,
  javascript:
    /(?<name>'(?:[^'\\]|\\.)*'(?=:)|(?<![\w$])[\w$]+(?=:\s))|(?<text>'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<word>\b\d[\w.]*|\b(?:const|await|import|from|new|true|false|null)\b)/gs,
};

const KINDS = ['name', 'text', 'word'] as const;

/** Splits code into tokens. Their codes, one after the other, are the code. This module runs in the browser too. */
export function tokenizeCode(code: string, language: CodeLanguage): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    const [matched] = match;
    if (match.index > end) tokens.push({ kind: undefined, code: code.slice(end, match.index) });
    tokens.push({ kind: KINDS.find((kind) => match.groups?.[kind] !== undefined), code: matched });
    end = match.index + matched.length;
  }
  if (end < code.length) tokens.push({ kind: undefined, code: code.slice(end) });
  return tokens;
}

export function toTokenClass(kind: TokenKind): string {
  return `code-${kind}`;
}
