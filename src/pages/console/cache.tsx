import { groupByFrequency } from '../../base/group-by.ts';
import { explainCacheDetail, findRemedy, readCacheDetail } from '../../base/http/cache-words.ts';
import { countOf, formatBytes, shorten } from '../../base/text.ts';
import { type Explanation, explain } from '../../gateway/report/explain.ts';
import { parsePurge } from '../../gateway/report/purge-selection.ts';
import { countStored, nameOperations, type StoredRow } from '../../gateway/report/stored.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import { describeSharedStore } from '../admin/admin-app.ts';
import {
  Clock,
  type Column,
  Definition,
  DescriptionText,
  type Html,
  List,
  numbers,
  Table,
} from '../ui/page.tsx';
import {
  ActionForm,
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleRequest,
  note,
  RequestLink,
  refuseAction,
  Section,
  type SitePage,
  toSitePagePath,
} from './layout.tsx';

export const cachePage: SitePage = async (context, site, request) => {
  const { caching } = site;
  const { mountPath, name } = site.settings;
  const address = (request.query.get('address') ?? '').trim();
  const explained = address === '' ? null : await explain(context, site, address);
  return (
    <>
      <Section id="store">
        {caching === null ? (
          <p>Nothing of this site is cached.</p>
        ) : (
          await storedTables(context, site, request.query)
        )}
      </Section>
      <Section id="explain" title="Explain an address">
        <form method="get" action="#explain" class="filter">
          <label>
            URL at the gateway, or id of a request
            <input
              type="text"
              name="address"
              value={address}
              placeholder={`https://example.com${mountPath}${EXAMPLE}`}
              spellcheck={false}
            />
          </label>
          <button type="submit" class="button primary">
            Explain
          </button>
        </form>
        {explained === null ? null : explanation(explained, address, request, name, context.clock.now())}
      </Section>
      {caching === null ? null : (
        <Section id="purge" title="Purge">
          <ActionForm request={request} action="purge" fields={{ site: name }} button="Purge">
            <div class="filter">
              <label>
                Route, with what is below it, or URL
                <input type="text" name="value" placeholder={EXAMPLE} spellcheck={false} />
              </label>
            </div>
          </ActionForm>
          <ActionForm
            request={request}
            action="purge"
            fields={{ site: name, kind: 'site' }}
            button="Purge everything"
            ask="Everything that is stored of this site is removed, and the site gets all of its requests for a while."
          />
        </Section>
      )}
    </>
  );
};

const EXAMPLE = '/wp/v2/posts';

const MAX_ROWS = 50;

async function storedTables(
  context: ConsoleContext,
  site: MountedSite,
  query: URLSearchParams,
): Promise<Html> {
  const { snapshot } = site.runtime;
  const nameOperation = nameOperations(snapshot);
  const rows = await countStored(site);
  const traffic = new Map(
    site.recorder.traffic.durations.listOperations().map((each) => [each.operation, each]),
  );
  const columns: readonly Column<StoredRow>[] = [
    { heading: 'stored', cell: ({ id }) => shorten(nameOperation(id), 160) },
    numbers('entries', ({ entries }) => entries),
    numbers('bytes', (row) => row.bytes, formatBytes),
    numbers('hits', ({ id }) => traffic.get(id)?.hits ?? 0),
    numbers('site asked', ({ id }) => traffic.get(id)?.upstream.requests ?? 0),
  ];
  return (
    <>
      {storeState(context)}
      <Table
        label="Stored responses"
        columns={columns}
        rows={rows}
        max={MAX_ROWS}
        empty="Nothing is stored."
        sorting={[query, 'store']}
      />
      <h2 id="unstored">Reads that are not stored</h2>
      {unstoredTable(site, query)}
    </>
  );
}

export function storeState({ cache }: Pick<ConsoleContext, 'cache'>): Html | null {
  if (cache === null) return null;
  const { bytes, evictions = 0, maxBytes, responseCount, shared } = cache.store.report();
  if (shared !== undefined && shared.state !== 'connected')
    return note(describeSharedStore(cache.store)?.message ?? null);
  const size = `${formatBytes(bytes)} of ${formatBytes(maxBytes)}`;
  const full = evictions === 0 ? '' : ` It was full: ${countOf(evictions, 'response')} had to make room.`;
  return <p>{`The store of all sites has ${countOf(responseCount, 'response')}, ${size}.${full}`}</p>;
}

/** Recent requests that a rule or a change of the site could make hits. */
function unstoredTable({ recorder, runtime }: MountedSite, query: URLSearchParams): Html {
  const reads = recorder.requests
    .list()
    .map((request) => ({
      detail: readCacheDetail(request.cacheStatus),
      // Requests without an operation are named with their method, e.g. `pages GET`.
      operation: request.operation.replace(/ .*/s, ''),
      request,
    }))
    .filter(({ detail, request }) => detail !== '' && /^(?:GET|HEAD)$/.test(request.method));
  const rows = groupByFrequency(reads, ({ detail, operation }) => `${operation}\n${detail}`);
  const nameOperation = nameOperations(runtime.snapshot);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { heading: 'operation', cell: ({ operation }) => shorten(nameOperation(operation), 160) },
    {
      heading: 'why',
      cell: ({ detail }) => {
        const words = explainCacheDetail(detail);
        return shorten(words === detail ? detail : `${detail}: ${words}`, 300);
      },
    },
    {
      heading: 'what helps',
      cell: ({ detail, request }) => (
        <DescriptionText text={request.status >= 400 ? '' : findRemedy(detail)} />
      ),
    },
    numbers('requests', ({ all }) => all.length),
    { heading: 'last request', cell: ({ request }) => <RequestLink id={request.requestId} /> },
  ];
  return (
    <Table
      label="Reads that are not stored"
      columns={columns}
      rows={rows}
      max={MAX_ROWS}
      empty="None of the last 500 requests without a hit."
      sorting={[query, 'unstored']}
    />
  );
}

function explanation(
  explained: Explanation | string,
  value: string,
  request: ConsoleRequest,
  site: string,
  now: number,
): Html {
  if (typeof explained === 'string') return <p class="problem">{explained}</p>;
  return (
    <>
      <dl class="explanation">
        {explained.facts.map(({ items = [], name, text }) => (
          <Definition name={name}>
            {withClocks(shorten(text, 600), now)}
            {items.length === 0 ? null : (
              <List items={items.map((item) => <code>{withClocks(shorten(item, 200), now)}</code>)} />
            )}
          </Definition>
        ))}
      </dl>
      {explained.isStored ? (
        <ActionForm
          request={request}
          action="purge"
          fields={{ site, kind: 'url', value }}
          button="Purge this address"
        />
      ) : null}
    </>
  );
}

function withClocks(text: string, now: number): Html {
  // Texts and times alternate.
  const parts = text.split(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)/);
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <Clock at={Date.parse(part)} now={now} />))}</>;
}

export const purge: ConsoleAction = async (context, form) => {
  const site = form.get('site') ?? '';
  const kind = form.get('kind') ?? '';
  const value = (form.get('value') ?? '').trim();
  const target = `site ${site}`;
  if (value === '' && kind !== 'site') return refuseAction(target, 'Type what to purge.');
  const isUrl = kind === 'url' || /^https?:/i.test(value);
  const route = value.startsWith('/') ? value : `/${value}`;
  const selector = kind === 'site' ? {} : isUrl ? { url: value } : { tags: [route] };
  const run = parsePurge({ site, ...selector }, context);
  if (typeof run === 'string') return refuseAction(target, run);
  const count = await run(false);
  const words = kind === 'site' ? 'everything' : value;
  return {
    result: 'done',
    target: `${target}, purge of ${words}: ${count ?? 'all gateways'}`,
    notice: `Purged: ${count === null ? 'at all gateways' : countOf(count, 'response')}.`,
    page: toSitePagePath(site, 'cache'),
  };
};
