import { type CodeLanguage, tokenizeCode, toTokenClass } from '../samples/code-tokens.ts';
import type { Html } from './html.ts';

/** Code with coloured tokens. It can be focused, because its box may scroll. */
export function HighlightedCode({
  code,
  language,
}: {
  readonly code: string;
  readonly language: CodeLanguage;
}): Html {
  return (
    <pre tabindex={0}>
      <code>
        {tokenizeCode(code, language).map((token) =>
          token.kind === undefined ? token.code : <span class={toTokenClass(token.kind)}>{token.code}</span>,
        )}
      </code>
    </pre>
  );
}
