import type { Child } from 'hono/jsx';
import { countOf, formatNumber } from '../../count-of.ts';
import { shorten, toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { toSitePageUrl } from '../shell/console-layout.tsx';
import { ActionForm } from '../shell/forms.tsx';
import { formatRate, formatShare } from '../shell/number-format.ts';
import { Time } from '../shell/time.tsx';

/** A mounted site, as the overview shows it. Times are in milliseconds since the epoch. */
export interface SiteOverview {
  readonly key: string;
  readonly title: string;
  /** `/content`, or `/`. */
  readonly mount: string;
  /** URL of the site. */
  readonly url: string;
  /** `stale`: the last discovery failed, and the last good document is served. */
  readonly state: 'ready' | 'stale' | 'not ready';
  /** Why the last discovery failed. */
  readonly fault: string | null;
  /** URL of the mount for the reader of the page, with a slash at its end; `null` if it is unknown. */
  readonly mountUrl: string | null;
  /** Version of the document; `null` if there is none. */
  readonly version: string | null;
  readonly operations: number;
  readonly lastDiscoveredAt: number | null;
  readonly nextDiscoveryAt: number | null;
  /** Number of irregularities in the site's index by rule, the most frequent first; `null` if unknown. */
  readonly diagnostics: readonly (readonly [rule: string, count: number])[] | null;
  readonly validationMode: string;
  /** Sentence about the circuit breakers; `null` while all are closed. */
  readonly circuit: string | null;
  /** The last minutes. */
  readonly traffic: {
    readonly requestsPerMinute: number;
    /** Responses with a status of 4xx, by the gateway or the site. */
    readonly clientErrors: number;
    /** Whether responses of the site are stored. */
    readonly isCached: boolean;
    /** 0 to 1; `null` if there were no requests that the cache could serve. */
    readonly hitRatio: number | null;
    /** Responses with a status of 5xx. */
    readonly serverErrors: number;
    readonly minutes: number;
  };
}

interface SiteProps {
  readonly request: ConsoleRequest;
  readonly site: SiteOverview;
  readonly now: number;
}

/** The sites of the gateway. */
export function SiteList({
  now,
  request,
  sites,
}: Omit<SiteProps, 'site'> & { readonly sites: readonly SiteOverview[] }): Html {
  return (
    <>
      {sites.map((site) => (
        <SiteCard request={request} site={site} now={now} />
      ))}
    </>
  );
}

const STATES: Readonly<Record<SiteOverview['state'], { readonly tone: string; readonly text: string }>> = {
  ready: { tone: 'good', text: 'ready' },
  stale: { tone: 'warning', text: 'served from the last good document' },
  'not ready': { tone: 'bad', text: 'not ready: requests get 503' },
};

function SiteCard({ now, request, site }: SiteProps): Html {
  const { circuit, fault, key, title, url } = site;
  const state = STATES[site.state];
  return (
    <article class="site" id={`site-${key}`}>
      <h2>
        <a href={toSitePageUrl(request.root, key, 'traffic')}>{toPlainText(title, 80)}</a>{' '}
        <b class={`state ${state.tone}`}>{state.text}</b>
      </h2>
      <p class="aside">
        <code>{site.mount}</code> ← <code>{shorten(url, 200)}</code>
      </p>
      {fault === null ? null : <p class="note">{toPlainText(fault, 1_000)}</p>}
      {circuit === null ? null : <p class="note">{circuit}</p>}
      <Facts site={site} now={now} root={request.root} />
      <Diagnostics site={site} root={request.root} />
      <div class="actions">
        <ActionForm
          request={request}
          action="rediscover"
          fields={{ site: key }}
          button="Rediscover"
          label={`Rediscover ${key}`}
        />
        <SiteLinks site={site} />
      </div>
    </article>
  );
}

function Facts({ now, root, site }: Pick<SiteProps, 'now' | 'site'> & { readonly root: string }): Html {
  const { key, lastDiscoveredAt, nextDiscoveryAt, operations, traffic, validationMode } = site;
  const { clientErrors, hitRatio, isCached, minutes, requestsPerMinute, serverErrors } = traffic;
  const link = (tab: 'traffic' | 'cache' | 'validation' | 'problems', text: string): Html => (
    <a href={toSitePageUrl(root, key, tab)}>{text}</a>
  );
  return (
    <dl class="facts">
      <Fact name="Requests">{link('traffic', formatRate(requestsPerMinute))}</Fact>
      <Fact name="Hit ratio">{link('cache', isCached ? formatShare(hitRatio) : 'off')}</Fact>
      <Fact name={`5xx in ${minutes}\u00a0min`}>{link('problems', formatNumber(serverErrors))}</Fact>
      <Fact name={`4xx in ${minutes}\u00a0min`}>{link('problems', formatNumber(clientErrors))}</Fact>
      <Fact name="Validation">{link('validation', validationMode)}</Fact>
      <Fact name="Operations">{formatNumber(operations)}</Fact>
      <Fact name="Last discovery">
        {lastDiscoveredAt === null ? 'none yet' : <Time at={lastDiscoveredAt} now={now} />}
      </Fact>
      <Fact name="Next discovery">
        {nextDiscoveryAt === null ? 'on request' : <Time at={nextDiscoveryAt} now={now} />}
      </Fact>
    </dl>
  );
}

function Fact({ children, name }: { readonly name: string; readonly children: Child }): Html {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Diagnostics({ root, site }: { readonly root: string; readonly site: SiteOverview }): Html | null {
  const { diagnostics, key } = site;
  if (diagnostics === null || diagnostics.length === 0) return null;
  const total = diagnostics.reduce((sum, [, count]) => sum + count, 0);
  return (
    <details id={`diagnostics-${key}`}>
      <summary>{countOf(total, 'remark')} about the site's index</summary>
      <ul class="counts">
        {diagnostics.map(([rule, count]) => (
          <li>
            <code>{rule}</code> <small>{formatNumber(count)}</small>
          </li>
        ))}
      </ul>
      <p>
        <a href={toSitePageUrl(root, key, 'document')}>Each remark with its place</a>
      </p>
    </details>
  );
}

function SiteLinks({ site: { mountUrl, version } }: { readonly site: SiteOverview }): Html | null {
  if (version === null) return null;
  if (mountUrl === null) return <span class="aside">Document {version}</span>;
  return (
    <ul class="inline-list">
      <li>
        <a href={`${mountUrl}docs`}>Documentation</a>
      </li>
      <li>
        <a href={`${mountUrl}openapi.json`}>Document {version.slice(0, 8)}</a>
      </li>
      <li>
        <a href={`${mountUrl}types.ts`}>Types</a>
      </li>
    </ul>
  );
}

/** Whether the gateway asks for requests, and the switch. */
export function GatewayState({
  isDraining,
  request,
}: {
  readonly isDraining: boolean;
  readonly request: ConsoleRequest;
}): Html {
  return (
    <div class="actions">
      <span>
        {isDraining ? (
          <>
            <b class="state warning">draining</b> <code>/-/ready</code> responds with 503, so that a load
            balancer sends no more requests.
          </>
        ) : (
          <b class="state good">in service</b>
        )}
      </span>
      {isDraining ? (
        <ActionForm request={request} action="undrain" button="Take back into service" tone="primary" />
      ) : (
        <ActionForm request={request} action="drain" button="Drain" />
      )}
      <ActionForm request={request} action="rediscover" button="Rediscover all sites" />
    </div>
  );
}

/** What draining does. */
export function DrainQuestion(): Html {
  return (
    <>
      <p>
        <code>/-/ready</code> will respond with 503. A load balancer that asks it sends no more requests to
        this process. Requests that arrive are still served, and nothing is stopped.
      </p>
      <p>The gateway is ready again after “Take back into service”, or after a restart.</p>
    </>
  );
}
