import { type CodeLanguage, type TokenKind, tokenizeCode, toTokenClass } from '../samples/code-tokens.ts';
import { createElement } from './dom.ts';

/** Creates the nodes of code with coloured tokens, as the server does. */
export function createTokens(code: string, language: CodeLanguage): readonly (Node | string)[] {
  return tokenizeCode(code, language).map((token) =>
    token.kind === undefined ? token.code : createToken(token.kind, token.code),
  );
}

export function createToken(kind: TokenKind, code: string): HTMLElement {
  return createElement('span', { class: toTokenClass(kind) }, code);
}
