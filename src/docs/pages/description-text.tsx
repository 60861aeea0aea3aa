import type { Html } from './html.ts';

/** A plain text. What stands between backticks in it is code. */
export function DescriptionText({ text }: { readonly text: string }): Html {
  // Texts and codes alternate. Without a second backtick there is no code.
  const parts = text.split(/`([^`\n]{1,200})`/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}
