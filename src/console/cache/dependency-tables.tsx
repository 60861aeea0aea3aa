import { formatNumber } from '../../count-of.ts';
import { shorten } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';

/** The evidence about one kind of write and one kind of read. */
export interface DependencyRow {
  readonly write: string;
  readonly read: string;
  readonly state: 'independent' | 'dependent' | 'observed';
  readonly observations: number;
  readonly changes: number;
}

const STATES = {
  independent: 'such writes keep such responses',
  dependent: 'a write has changed one',
  observed: 'not seen often enough',
} as const;

/** What was learned about which writes leave which responses unchanged. */
export function DependencyTable({
  rows,
  total,
}: {
  readonly rows: readonly DependencyRow[];
  readonly total: number;
}): Html {
  if (rows.length === 0)
    return <p>Nothing was learned yet: a write purges everything that may depend on it.</p>;
  return (
    <>
      <section class="scroll" aria-label="Learned dependencies" tabindex={0}>
        <table class="operation-traffic">
          <thead>
            <tr>
              <th scope="col">write</th>
              <th scope="col">read</th>
              <th scope="col">state</th>
              <th scope="col" class="number">
                unchanged
              </th>
              <th scope="col" class="number">
                changed
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ changes, observations, read, state, write }) => (
              <tr>
                <th scope="row">
                  <code>{shorten(write, 160)}</code>
                </th>
                <td>
                  <code>{shorten(read, 160)}</code>
                </td>
                <td>{`${state}: ${STATES[state]}`}</td>
                <td class="number">{formatNumber(observations)}</td>
                <td class="number">{formatNumber(changes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {total > rows.length ? <p>{`The first ${rows.length} of ${formatNumber(total)}.`}</p> : null}
    </>
  );
}

/** Why requests and responses were kept out of the store, with the names that caused it. */
export function ExclusionTable({
  rows,
}: {
  readonly rows: readonly {
    readonly reason: string;
    readonly words: string;
    readonly name: string;
    readonly count: number;
  }[];
}): Html {
  if (rows.length === 0) return <p>No request has bypassed the store.</p>;
  return (
    <section class="scroll" aria-label="Requests that bypassed the store" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">reason</th>
            <th scope="col">name</th>
            <th scope="col" class="number">
              times
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ count, name, words }) => (
            <tr>
              <th scope="row">{words}</th>
              <td>{name === '' ? '' : <code>{shorten(name, 60)}</code>}</td>
              <td class="number">{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
