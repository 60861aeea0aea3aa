import { formatNumber } from '../../count-of.ts';
import { formatShare, formatUtc } from '../../ui/format.ts';
import type { Html } from '../../ui/page.tsx';
import { List } from '../../ui/parts.tsx';
import { type Column, numbers, Table } from '../../ui/table.tsx';
import { shorten } from '../../ui/text.ts';
import type { EconomyReport, KindReport } from '../caching/economy.ts';
import { figure } from './layout.tsx';

/** Rows of a table. */
const MAX_ROWS = 50;
/** Examples of a kind of write. */
const MAX_EXAMPLES = 3;

/** What the cache saves the site, as figures of a list. */
export function loadFigures({ traffic }: EconomyReport): Html {
  const { hitRatio, reads, siteRequests, siteRequestsPerRead } = traffic;
  return (
    <>
      {figure(
        'Hits',
        formatShare(hitRatio),
        `of ${formatNumber(reads)} reads in six hours that may use the store`,
      )}
      {figure(
        'Requests at the site per read',
        siteRequestsPerRead === null ? '–' : siteRequestsPerRead.toFixed(2),
        `${formatNumber(siteRequests)} requests, with background refreshes`,
      )}
    </>
  );
}

/** What each kind of write costs, and the evidence that pages do not depend on it. */
export function writeCosts({ kinds, total }: EconomyReport): Html {
  if (kinds.length === 0)
    return <p>No write has been seen: the first ones mark everything that may depend on them.</p>;
  const number = numbers<KindReport>;
  return (
    <>
      <p>
        A write marks the stored responses that may depend on it: the site is asked before they are used
        again. Some are compared with what they were. Once enough were the same, without a counter-example,
        such writes keep them.
      </p>
      <Table
        label="What writes cost"
        look="operation-traffic"
        rows={kinds.slice(0, MAX_ROWS)}
        total={total}
        columns={[
          { heading: 'write', cell: ({ write }) => <code>{shorten(write, 160)}</code> },
          number('writes', ({ writes }) => formatNumber(writes)),
          number('marked', ({ marked }) => formatNumber(marked)),
          number('really changed', ({ changed, compared }) =>
            compared === 0 ? '–' : `${changed} of ${compared}`,
          ),
          number('evidence', ({ needed, same }) =>
            needed === 0 ? '–' : `${formatNumber(same)} of ${formatNumber(needed)}`,
          ),
          number('kinds kept', ({ kept }) => formatNumber(kept)),
          { heading: 'counter-examples', cell: counterExamples },
        ]}
      />
    </>
  );
}

function counterExamples({ counterExamples: count, dependents }: KindReport): Html | string {
  const examples = dependents.flatMap(({ example, read }) =>
    example === null ? [] : [{ read, ...example }],
  );
  if (examples.length === 0) return count === 0 ? '' : formatNumber(count);
  const items = examples
    .slice(0, MAX_EXAMPLES)
    .map(({ page, read, time, write }) => shorten(`${read}: ${page} by ${write}, ${formatUtc(time)}`, 240));
  return <List items={items} />;
}

/** Pages that change without a write, and pages that show no item. */
export function unknownPages({ unrelated, varying }: EconomyReport): Html {
  if (unrelated.length + varying.length === 0) return <p>None is known.</p>;
  return (
    <>
      {pageTable('changes without a write', varying, [
        numbers('changed', ({ changed, compared }) => `${changed} of ${compared}`),
        numbers('places', ({ places }) => formatNumber(places)),
      ])}
      {pageTable('shows no item', unrelated, [numbers('stored', ({ responses }) => formatNumber(responses))])}
    </>
  );
}

function pageTable<Page extends { readonly read: string }>(
  heading: string,
  pages: readonly Page[],
  columns: readonly Column<Page>[],
): Html | null {
  if (pages.length === 0) return null;
  const head: Column<Page> = { heading, cell: ({ read }) => <code>{shorten(read, 160)}</code> };
  const rows = pages.slice(0, MAX_ROWS);
  return <Table label={`Page ${heading}`} rows={rows} total={pages.length} columns={[head, ...columns]} />;
}
