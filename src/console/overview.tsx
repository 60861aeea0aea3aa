import { describeMount } from '../admin/site-operations.ts';
import { readSiteState, SITE_STATES, type SiteState, STATE_MINUTES } from '../admin/site-state.ts';
import { formatNumber } from '../count-of.ts';
import { capitalize } from '../model/naming/words.ts';
import { endsWithin } from '../ports.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { TrafficSummary } from '../site/traffic/traffic-counters.ts';
import { formatDuration, formatRate, formatShare } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { Clock } from '../ui/parts.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { shorten, toPlainText } from '../ui/text.ts';
import { describeStore, sharedStoreNote } from './cache.tsx';
import { eventTable, groupEvents, listEvents, type TimelineEvent } from './events.tsx';
import { ActionForm, note, Section, toSitePageUrl } from './layout.tsx';
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleRequest,
  type ConsoleView,
  refuseAction,
} from './page.ts';

export function overviewPage(context: ConsoleContext, request: ConsoleRequest): ConsoleView {
  const content = (
    <>
      <Section id="sites" isLive>
        {siteTable(context, request)}
      </Section>
      <Section id="events" title="What to look at" isLive>
        {eventTable(listRemarkable(context), context.clock.now(), MAX_EVENTS, request.root)}
      </Section>
      <Section id="gateway" title="Gateway" isLive>
        {sharedStoreNote(context)}
        {context.cache === null ? null : <p>{describeStore(context)}</p>}
        <div class="actions">
          {context.drain.isDraining ? (
            <>
              <b class="state limited">draining: /-/ready responds with 503</b>
              <ActionForm request={request} action="undrain" button="Take back into service" tone="primary" />
            </>
          ) : (
            <>
              <b class="state good">in service</b>
              <ActionForm
                request={request}
                action="drain"
                button="Drain"
                ask="/-/ready will respond with 503, so load balancers send no more requests here."
              />
            </>
          )}
          <ActionForm request={request} action="rediscover" button="Rediscover all sites" />
        </div>
      </Section>
    </>
  );
  return { title: 'Overview', tab: 'overview', content };
}

const MAX_EVENTS = 20;
/** Equal events, such as purges by one operation, that are a storm. */
const STORM = 20;

function listRemarkable(context: ConsoleContext): readonly TimelineEvent[] {
  const events = listEvents(context, [...context.sites.values()]);
  const storms = groupEvents(events).filter(({ times }) => times >= STORM);
  return events.filter(
    (event) => event.isMarked || storms.some(({ site, text }) => site === event.site && text === event.text),
  );
}

interface SiteRow {
  readonly site: MountedSite;
  readonly state: SiteState;
  readonly now: TrafficSummary;
  readonly before: TrafficSummary;
}

function siteTable({ alerts, clock, sites }: ConsoleContext, request: ConsoleRequest): Html {
  const rows = Array.from(sites.values(), (site): SiteRow => {
    const { traffic } = site.recorder;
    const state = readSiteState(site, alerts);
    return {
      site,
      state,
      now: traffic.readMinutes(STATE_MINUTES),
      before: traffic.readMinutes(STATE_MINUTES, 60),
    };
  }).sort(
    (one, other) =>
      SITE_STATES.indexOf(one.state.name) - SITE_STATES.indexOf(other.state.name) ||
      other.now.requests - one.now.requests,
  );
  const columns: readonly Column<SiteRow>[] = [
    {
      heading: 'site',
      cell: ({ site }) => (
        <>
          <a href={toSitePageUrl(request.root, site.settings.name, 'traffic')}>{readTitle(site)}</a>
          <small class="place">
            {describeMount(site)} ← {shorten(site.settings.url, 100)}
          </small>
        </>
      ),
    },
    { heading: 'state', cell: ({ site, state }) => stateSentence(site, state, clock.now()) },
    numbers('requests', ({ now }) => now.requests / STATE_MINUTES, formatRate),
    {
      heading: '5xx',
      isNumber: true,
      cell: ({ now, site }) => (
        <a
          class={now.serverErrors > 0 ? 'status-5' : undefined}
          href={`${toSitePageUrl(request.root, site.settings.name, 'problems')}?status=5`}
        >
          {formatShare(now.requests === 0 ? null : now.serverErrors / now.requests)}
        </a>
      ),
      rank: ({ now }) => now.serverErrors / now.requests,
    },
    {
      heading: '4xx',
      isNumber: true,
      cell: ({ now, site }) => (
        <a href={`${toSitePageUrl(request.root, site.settings.name, 'problems')}?status=4`}>
          {formatShare(now.requests === 0 ? null : now.clientErrors / now.requests)}
        </a>
      ),
      rank: ({ now }) => now.clientErrors / now.requests,
    },
    {
      heading: 'p95',
      isNumber: true,
      cell: ({ before, now, site }) => (
        <>
          <a href={`${toSitePageUrl(request.root, site.settings.name, 'traffic')}?sort=p95#operations`}>
            {formatDuration(now.p95)}
          </a>
          {before.p95 === null ? null : <small> {formatDuration(before.p95)} an hour ago</small>}
        </>
      ),
      rank: ({ now }) => now.p95,
    },
    {
      heading: 'hits',
      isNumber: true,
      cell: ({ now, site }) => (
        <a href={toSitePageUrl(request.root, site.settings.name, 'cache')}>
          {site.caching === null ? 'off' : formatShare(now.hitRatio)}
        </a>
      ),
      rank: ({ now }) => now.hitRatio,
    },
    {
      heading: 'action',
      cell: ({ site }) => {
        const { name } = site.settings;
        return (
          <ActionForm
            request={request}
            action="rediscover"
            fields={{ site: name }}
            button="Rediscover"
            label={`Rediscover ${name}`}
          />
        );
      },
    },
  ];
  return <Table label="Sites" columns={columns} rows={rows} sorting={[request.query, 'sites']} />;
}

function readTitle(site: MountedSite): string {
  return toPlainText(site.runtime.snapshot?.documented?.title ?? site.settings.name, 80);
}

export function stateSentence(site: MountedSite, { name, since, words }: SiteState, now: number): Html {
  const { active, max, queued } = site.concurrency.report();
  return (
    <>
      <b class={`state ${name}`}>{name}</b>{' '}
      {since === null ? null : (
        <>
          since <Clock at={since} now={now} />:
        </>
      )}
      {words === '' ? null : ` ${words}`}
      {queued === 0
        ? null
        : `, ${formatNumber(active)} of ${formatNumber(max)} requests at the site, ${formatNumber(queued)} wait`}
    </>
  );
}

export function SiteNotes({ site }: { readonly site: MountedSite }): Html {
  const remarks = [site.runtime.lastDiscoveryError?.message, site.describeForeignLinks()];
  return <>{remarks.map((text) => note(text ? toPlainText(capitalize(text), 1_000) : null))}</>;
}

const MAX_WAIT = 2_000;

export const rediscover: ConsoleAction = async ({ clock, sites }, form) => {
  const key = form.get('site');
  const named = key === null ? undefined : sites.get(key);
  if (key !== null && named === undefined) return refuseAction('', 'There is no such site.');
  const chosen = named === undefined ? [...sites.values()] : [named];
  const target = named === undefined ? 'all sites' : `site ${named.settings.name}`;
  const reading = Promise.all(chosen.map((site) => site.runtime.rediscover()));
  if (!(await endsWithin(MAX_WAIT, reading, clock)))
    return { result: 'begun', target, notice: `Reading ${target}.` };
  if (chosen.some(({ runtime }) => runtime.lastDiscoveryError !== null))
    return { result: 'failed', target, notice: 'A discovery failed.' };
  return { result: 'done', target, notice: `Read ${target}.` };
};

export const drain: ConsoleAction = ({ drain: state }) => {
  state.isDraining = true;
  return { result: 'done', target: '', notice: 'The gateway is draining.' };
};

export const undrain: ConsoleAction = ({ drain: state }) => {
  state.isDraining = false;
  return { result: 'done', target: '', notice: 'The gateway is back in service.' };
};
