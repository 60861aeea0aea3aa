import { formatNumber } from '../../base/count-of.ts';
import { groupEqual } from '../../base/group-by.ts';
import { shorten } from '../../base/text.ts';
import type { TimelineEvent } from '../../gateway/report/events.ts';
import type { Html } from '../ui/page.tsx';
import { Clock, DescriptionText } from '../ui/parts.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RequestLink, toSitePageUrl } from './layout.tsx';

type EventGroup = TimelineEvent & { readonly all: readonly TimelineEvent[] };

export function eventTable(events: readonly TimelineEvent[], now: number, max: number, root?: string): Html {
  const columns: readonly Column<EventGroup>[] = [
    { heading: 'last', cell: ({ time }) => <Clock at={time} now={now} /> },
    ...(root === undefined
      ? []
      : [
          {
            heading: 'site',
            cell: ({ all }: EventGroup) => linkSites(root, [...new Set(all.map(({ site }) => site))]),
          },
        ]),
    {
      heading: 'event',
      cell: ({ all, client, isMarked, text }) => (
        <>
          <span class={isMarked ? 'status-4' : undefined}>
            <DescriptionText text={shorten(text, 600)} />
          </span>
          {client === '' ? null : `${all.length > 1 ? ', last' : ''} from ${shorten(client, 100)}`}
        </>
      ),
    },
    {
      heading: 'times',
      cell: ({ all, time }) =>
        all.length === 1 ? (
          ''
        ) : (
          <>
            {formatNumber(all.length)} since <Clock at={all.at(-1)?.time ?? time} now={now} />
          </>
        ),
    },
    {
      heading: 'request',
      cell: ({ requestId, site }) =>
        requestId === '' || (site === '' && root !== undefined) ? (
          ''
        ) : (
          <RequestLink
            id={requestId}
            page={root === undefined ? './cache' : toSitePageUrl(root, site, 'cache')}
          />
        ),
    },
  ];
  const rows = groupEqual(events, ({ text }) => text.replace(/https?:\/\/[\w.:-]+/g, ''));
  const empty =
    root === undefined
      ? 'Nothing happened but requests.'
      : 'Warnings of the log are listed here, e.g. a discovery that failed. There are none since the start.';
  return <Table label="Events" columns={columns} rows={rows} max={max} empty={empty} />;
}

function linkSites(root: string, [site = '', ...others]: readonly string[]): Html {
  if (others.length > 0) return <>{shorten([site || 'gateway', ...others].join(', '), 200)}</>;
  if (site === '') return <>gateway</>;
  return <a href={`${toSitePageUrl(root, site, 'traffic')}#events`}>{shorten(site, 60)}</a>;
}
