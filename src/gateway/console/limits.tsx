import { formatNumber } from '../../count-of.ts';
import type { Html } from '../../ui/page.tsx';
import { Time } from '../../ui/parts.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toPlainText } from '../../ui/text.ts';
import type { LimitedSubject, LimitReport } from '../limiting/site-limits.ts';

/** Who was limited, and by what policy. */
export function limitedSubjects({ isAlone, limited }: LimitReport, now: number): Html {
  const columns: readonly Column<LimitedSubject>[] = [
    { heading: 'client or credential', cell: ({ who }) => <code>{toPlainText(who, 80)}</code> },
    { heading: 'policy', cell: ({ policy }) => policy },
    { heading: 'refused', isNumber: true, cell: ({ refused }) => formatNumber(refused) },
    { heading: 'last', cell: ({ last }) => <Time at={last} now={now} /> },
  ];
  return (
    <>
      {isAlone ? (
        <p class="note">The shared counts cannot be reached: this gateway limits by its own counts.</p>
      ) : null}
      {limited.length === 0 ? (
        <p>No request was refused.</p>
      ) : (
        <Table label="Limited clients" columns={columns} rows={limited} />
      )}
    </>
  );
}
