import type { Html } from './html.ts';

/** Shorter texts fit into each line. */
const MIN_LENGTH = 17;

/** A path or a name that may break after each `/` and `_`, and not in the middle of a word. */
export function BreakableText({ text }: { readonly text: string }): Html {
  if (text.length < MIN_LENGTH) return <>{text}</>;
  return (
    <>
      {text.split(/(?<=[/_])(?=[^/_])/).map((part, index) => (
        <>
          {index === 0 ? null : <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
