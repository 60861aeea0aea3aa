import { groupEqual } from '../../base/group-by.ts';
import {
  formatDuration,
  formatNumber,
  formatRate,
  formatShare,
  shorten,
  toPlainText,
} from '../../base/text.ts';
import type { OperatedGateway } from '../../gateway/report/operated-gateway.ts';
import {
  type OperatedSite,
  SITE_STATES,
  type SiteState,
  type TimelineEvent,
  type TrafficSummary,
} from '../../gateway/report/operated-site.ts';
import { Clock, type Column, DescriptionText, type Html, numbers, Table } from '../ui/page.tsx';
import { storeState } from './cache.tsx';
import {
  type ConsoleAction,
  type ConsoleRequest,
  type ConsoleView,
  note,
  RequestLink,
  refuseAction,
  Section,
  type SiteTab,
  toSitePagePath,
  toSitePageUrl,
} from './layout.tsx';

export function overviewPage(gateway: OperatedGateway, request: ConsoleRequest): ConsoleView {
  const content = (
    <>
      <Section id="sites" isLive>
        {gateway.listFaults().map((text) => note(text))}
        {siteTable(gateway, request)}
      </Section>
      <Section id="events" title="Warnings" isLive>
        {eventTable(listRemarkable(gateway), gateway.clock.now(), MAX_EVENTS, {
          root: request.root,
          sites: gateway.sites,
        })}
      </Section>
      <Section id="gateway" title="Gateway" isLive>
        {ownTraffic(gateway)}
        {storeState(gateway)}
      </Section>
    </>
  );
  return { title: 'Overview', tab: 'overview', content };
}

const MAX_EVENTS = 20;

/** Requests that belong to no site. */
function ownTraffic(gateway: OperatedGateway): Html {
  const { clientErrors, minutes, refusals, requests, serverErrors } = gateway.readRecent();
  const counted = refusals.map(({ code, all }) => `${code} ${formatNumber(all.length)}`).join(', ');
  return (
    <p>
      {formatRate(requests / minutes)} for no site in the last minutes: 4xx {formatNumber(clientErrors)}, 5xx{' '}
      {formatNumber(serverErrors)}
      {counted === '' ? '' : `. The last refusals: ${counted}`}.
    </p>
  );
}

function listRemarkable(gateway: OperatedGateway): readonly TimelineEvent[] {
  return groupEqual(gateway.listEvents(), ({ site, text }) => `${site} ${text}`)
    .filter(({ isMarked }) => isMarked)
    .toSorted((one, other) => one.urgency - other.urgency)
    .flatMap(({ all }) => all);
}

interface SiteRow {
  readonly site: OperatedSite;
  readonly state: SiteState;
  readonly now: ReturnType<OperatedSite['readRecent']>;
}

function siteTable({ clock, maxErrors, sites }: OperatedGateway, request: ConsoleRequest): Html {
  const rows = Array.from(
    sites.values(),
    (site): SiteRow => ({ site, state: site.readState(), now: site.readRecent() }),
  ).sort(
    (one, other) =>
      SITE_STATES.indexOf(one.state.name) - SITE_STATES.indexOf(other.state.name) ||
      other.now.requests - one.now.requests,
  );
  const linked = (
    heading: string,
    tab: SiteTab,
    query: string,
    rank: (row: SiteRow) => number | null,
    format: (value: number | null) => string,
    describeClass?: (value: number) => string | false,
  ): Column<SiteRow> => ({
    ...{ heading, rank, isNumber: true },
    cell: (row) => {
      const value = rank(row);
      const url = toSitePageUrl(request.root, row.site.name, tab) + query;
      return value === null ? (
        format(value)
      ) : (
        <a href={url} class={describeClass?.(value) || undefined}>
          {format(value)}
        </a>
      );
    },
  });
  const columns: readonly Column<SiteRow>[] = [
    {
      heading: 'site',
      cell: ({ site }) => (
        <>
          <a href={toSitePageUrl(request.root, site.name, 'traffic')}>{site.title}</a>
          <small class="place">
            {site.mount} ← {shorten(site.host, 100)}
          </small>
        </>
      ),
    },
    {
      heading: 'state',
      cell: ({ site, state }) =>
        stateSentence(state, clock.now(), `${request.root}sites/${encodeURIComponent(site.name)}/`),
    },
    numbers('requests', ({ now }) => now.requests / now.minutes, formatRate),
    linked(
      '5xx',
      'problems',
      '?q=5xx',
      ({ now }) => shareOf(now, now.serverErrors),
      formatShare,
      (value) => value > maxErrors && 'status-5',
    ),
    linked(
      '4xx',
      'problems',
      '?q=4xx',
      ({ now }) => shareOf(now, now.clientErrors),
      formatShare,
      (value) => value > 0.5 && 'status-4',
    ),
    linked('p95', 'traffic', '#plots', ({ now }) => now.p95, formatDuration),
    linked(
      'hits',
      'cache',
      '',
      ({ now }) => shareOf(now, now.outcomes.hit + now.outcomes.stale),
      formatShare,
    ),
  ];
  return <Table label="Sites" columns={columns} rows={rows} sorting={[request.query, 'sites']} />;
}

function shareOf({ requests }: TrafficSummary, count: number): number | null {
  return requests === 0 ? null : count / requests;
}

/** @param root URL of the pages of the site: each remark leads to its evidence */
export function stateSentence({ name, remarks, since }: SiteState, now: number, root: string): Html {
  return (
    <>
      <b class={`state ${name}`}>{name}</b>{' '}
      {since === null ? null : (
        <>
          since <Clock at={since} now={now} />:{' '}
        </>
      )}
      {remarks.map(({ page, remedy, text }, at) => (
        <>
          {at === 0 ? null : '; '}
          <a href={root + page}>{toPlainText(text, 400)}</a>
          {remedy === '' ? null : ` (${remedy})`}
        </>
      ))}
    </>
  );
}

export const rediscover: ConsoleAction = ({ sites }, form) => {
  const name = form.get('site') ?? '';
  const site = sites.get(name);
  if (site === undefined) return refuseAction('', 'There is no such site.');
  site.rediscover();
  const target = `site ${name}`;
  const page = toSitePagePath(name, 'traffic');
  return { result: 'begun', target, page, notice: `Reading ${target}.` };
};

type EventGroup = TimelineEvent & { readonly all: readonly TimelineEvent[] };

type Overview = Pick<ConsoleRequest, 'root'> & Pick<OperatedGateway, 'sites'>;

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
    return site.mount === '/' ? site.title : name;
  });
  const text = shorten(titles.join(', '), 200);
  const [name = ''] = names;
  if (names.length > 1 || name === '') return <>{text}</>;
  return <a href={`${toSitePageUrl(root, name, 'traffic')}#events`}>{text}</a>;
}
