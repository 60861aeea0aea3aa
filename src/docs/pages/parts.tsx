import { shorten } from '../details/plain-text.ts';
import type { AnchoredOperation } from '../reference/reference.ts';
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
          <Method method={method} /> <code>{shorten(path, 160)}</code>
        </li>
      ))}
    </ul>
  );
}

const METHOD_CLASSES: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** A method as a label. Its colour repeats what its text says. */
export function Method({ method }: { readonly method: string }): Html {
  const name = METHOD_CLASSES.has(method) ? method.toLowerCase() : 'other';
  return <b class={`method method-${name}`}>{shorten(method, 20)}</b>;
}
