import type { Child } from 'hono/jsx';
import { describeMount, describeUnreachable, findSiteByKey, siteKey } from '../admin/site-operations.ts';
import { formatNumber } from '../count-of.ts';
import { capitalize } from '../model/naming/words.ts';
import { endsWithin } from '../ports.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { formatRate, formatShare, withUnit } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { Definition } from '../ui/parts.tsx';
import { shorten, toPlainText } from '../ui/text.ts';
import { sharedStoreNote } from './cache.tsx';
import { ActionForm, note, Section, toSitePageUrl } from './layout.tsx';
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleRequest,
  type ConsoleView,
  refuseAction,
} from './page.ts';
import { computeRate } from './traffic.tsx';

/** The first page: all sites, and the gateway as a whole. */
export function overviewPage(context: ConsoleContext, request: ConsoleRequest): ConsoleView {
  const content = (
    <>
      <Section id="gateway" isLive>
        {sharedStoreNote(context)}
        <div class="actions">
          {context.drain.isDraining ? (
            <>
              <b class="state warning">draining: /-/ready responds with 503</b>
              <ActionForm request={request} action="undrain" button="Take back into service" tone="primary" />
            </>
          ) : (
            <>
              <b class="state good">in service</b>
              <ActionForm request={request} action="drain" button="Drain" />
            </>
          )}
          <ActionForm request={request} action="rediscover" button="Rediscover all sites" />
        </div>
      </Section>
      <Section id="sites" isLive>
        {Array.from(context.sites.values(), (site) => siteCard(request, site))}
      </Section>
    </>
  );
  return { title: 'Overview', tab: 'overview', content };
}

const TRAFFIC_MINUTES = 10;

function siteCard(request: ConsoleRequest, site: MountedSite): Html {
  const { runtime } = site;
  const reason = site.circuits?.report().reason;
  const { lastDiscoveryError, snapshot } = runtime;
  const key = siteKey(site);
  const [tone, state] = describeState(runtime);
  const foreignLinks = site.describeForeignLinks();
  return (
    <article class="site" id={`site-${key}`}>
      <h2>
        <a href={toSitePageUrl(request.root, key, 'traffic')}>
          {toPlainText(snapshot?.documented?.title ?? key, 80)}
        </a>{' '}
        <b class={`state ${tone}`}>{state}</b>
      </h2>
      <p class="aside">
        <code>{describeMount(site)}</code> ← <code>{shorten(site.url, 200)}</code>
      </p>
      {note(lastDiscoveryError && toPlainText(lastDiscoveryError.message, 1_000))}
      {note(describeUnreachable(site))}
      {note(reason ? `The circuit breaker stops requests: ${reason}.` : null)}
      {note(foreignLinks && toPlainText(capitalize(foreignLinks), 1_000))}
      {facts(site, request.root)}
      <div class="actions">
        <ActionForm
          request={request}
          action="rediscover"
          fields={{ site: key }}
          button="Rediscover"
          label={`Rediscover ${key}`}
        />
      </div>
    </article>
  );
}

/** After a failed discovery the last good document is served. */
function describeState(runtime: MountedSite['runtime']): readonly [string, string] {
  const { held, lastDiscoveryError, snapshot } = runtime;
  if (snapshot === null) return ['bad', 'not ready: requests get 503'];
  if (snapshot.isProvisional) return ['warning', 'no document: forwarded, not validated, not stored'];
  if (held !== null)
    return ['warning', 'served from the last good document: the discovered one lacks too much'];
  return lastDiscoveryError === null ? ['good', 'ready'] : ['warning', 'served from the last good document'];
}

function facts(
  { caching, concurrency, mount, recorder, runtime, validation }: MountedSite,
  root: string,
): Html {
  const { active, max, queued } = concurrency.report();
  const { snapshot } = runtime;
  const chart = recorder.traffic.read('10m');
  const { clientErrors, hitRatio, serverErrors } = chart.total;
  const fact = (name: string, content: Child): Html => <Definition name={name}>{content}</Definition>;
  const link = (tab: 'traffic' | 'cache' | 'problems', text: string): Html => (
    <a href={toSitePageUrl(root, siteKey({ mount }), tab)}>{text}</a>
  );
  const span = withUnit(TRAFFIC_MINUTES, 'min');
  return (
    <dl class="facts">
      {fact('Requests', link('traffic', formatRate(computeRate(chart))))}
      {fact(`Hit ratio in ${span}`, link('cache', caching === null ? 'off' : formatShare(hitRatio)))}
      {fact(`5xx in ${span}`, link('problems', formatNumber(serverErrors)))}
      {fact(`4xx in ${span}`, link('problems', formatNumber(clientErrors)))}
      {fact('Active at the site', `${formatNumber(active)} of ${formatNumber(max)}`)}
      {fact('Queued', formatNumber(queued))}
      {fact('Validation', validation.mode)}
      {fact('Operations', formatNumber(snapshot?.operationCount ?? 0))}
    </dl>
  );
}

/** Milliseconds for which the page waits for a discovery. */
const MAX_WAIT = 2_000;

/** Reads the index of a site, or of all. The cards of the sites show what came of it. */
export const rediscover: ConsoleAction = async ({ clock, sites }, form) => {
  const key = form.get('site');
  const named = key === null ? undefined : findSiteByKey(sites, key);
  if (key !== null && named === undefined) return refuseAction('', 'There is no such site.');
  const chosen = named === undefined ? [...sites.values()] : [named];
  const target = named === undefined ? 'all sites' : `site ${siteKey(named)}`;
  const before = chosen.map(({ runtime }) => runtime.snapshot);
  const reading = Promise.all(chosen.map((site) => site.rediscover()));
  if (!(await endsWithin(MAX_WAIT, reading, clock)))
    return { result: 'begun', target, notice: `Reading ${target}.` };
  if (chosen.some(({ runtime }) => runtime.lastDiscoveryError !== null))
    return { result: 'failed', target, notice: 'A discovery failed.' };
  const isChanged = chosen.some(({ runtime }, at) => runtime.snapshot !== before[at]);
  return {
    result: 'done',
    target,
    notice: `Read ${target}: ${isChanged ? 'the document has changed.' : 'nothing has changed.'}`,
  };
};

export const drain: ConsoleAction = ({ drain: state }) => {
  state.isDraining = true;
  return { result: 'done', target: '', notice: 'The gateway is draining.' };
};

export const undrain: ConsoleAction = ({ drain: state }) => {
  state.isDraining = false;
  return { result: 'done', target: '', notice: 'The gateway is back in service.' };
};
