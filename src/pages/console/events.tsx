import { formatNumber } from '../../base/count-of.ts';
import { groupEqual } from '../../base/group-by.ts';
import { shorten } from '../../base/text.ts';
import type { TimelineEvent } from '../../gateway/report/events.ts';
import type { Html } from '../ui/page.tsx';
import { Clock, DescriptionText } from '../ui/parts.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RequestLink, toSitePageUrl } from './layout.tsx';
import { type ConsoleContext, type ConsoleRequest, readTitle } from './page.ts';

type EventGroup = TimelineEvent & { readonly all: readonly TimelineEvent[] };

/** The page of all sites. */
type Overview = Pick<ConsoleRequest, 'root'> & Pick<ConsoleContext, 'sites'>;

export function eventTable(
  events: readonly TimelineEvent[],
  now: number,
  max: number,
  overview?: Overview,
): Html {
  const columns: readonly Column<EventGroup>[] = [
    { heading: 'last', cell: ({ time }) => <Clock at={time} now={now} /> },
    ...(overview === undefined
      ? []
      : [
          {
            heading: 'site',
            cell: ({ all }: EventGroup) => linkSites(overview, [...new Set(all.map(({ site }) => site))]),
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
        requestId === '' || (site === '' && overview !== undefined) ? (
          ''
        ) : (
          <RequestLink
            id={requestId}
            page={overview === undefined ? './cache' : toSitePageUrl(overview.root, site, 'cache')}
          />
        ),
    },
  ];
  const rows = groupEqual(events, ({ text }) => text.replace(/https?:\/\/[\w.:-]+/g, ''));
  const empty =
    overview === undefined
      ? 'Nothing happened but requests.'
      : 'Warnings of the log are listed here, e.g. a discovery that failed. There are none since the start.';
  return <Table label="Events" columns={columns} rows={rows} max={max} empty={empty} />;
}

function linkSites({ root, sites }: Overview, names: readonly string[]): Html {
  const titles = names.map((name) => {
    const site = sites.get(name);
    if (site === undefined) return 'gateway';
    const isUnnamed = site.settings.mountPath === '' && site.settings.hosts.length === 0;
    return isUnnamed ? readTitle(site) : name;
  });
  const text = shorten(titles.join(', '), 200);
  const [name = ''] = names;
  if (names.length > 1 || name === '') return <>{text}</>;
  return <a href={`${toSitePageUrl(root, name, 'traffic')}#events`}>{text}</a>;
}
