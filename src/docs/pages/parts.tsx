import { toMethodClass } from '../details/method-class.ts';
import { shorten } from '../details/plain-text.ts';
import type { AnchoredOperation } from '../reference/reference.ts';
import { BreakableText } from './breakable-text.tsx';
import type { Html } from './html.ts';

/** Links to operations, with method and path. */
export function OperationLinks({
  operations,
  url,
}: {
  readonly operations: readonly AnchoredOperation[];
  /** URL of their page; empty on the page itself. */
  readonly url: string;
}): Html {
  return (
    <ul class="operations">
      {operations.map(({ anchor, method, path, title }) => (
        <li>
          <a href={`${url}#${anchor}`}>{shorten(title, 120)}</a>
          <Method method={method} />{' '}
          <code>
            <BreakableText text={shorten(path, 160)} />
          </code>
        </li>
      ))}
    </ul>
  );
}

/** A method as a label. */
export function Method({ method }: { readonly method: string }): Html {
  return <b class={toMethodClass(method)}>{shorten(method, 20)}</b>;
}
