import { groupByFrequency } from '../../base/group-by.ts';
import { countOf, formatBytes, shorten } from '../../base/text.ts';
import type { Explanation, OperatedGateway } from '../../gateway/report/operated-gateway.ts';
import type { OperatedSite, StoredOperation, UnstoredRead } from '../../gateway/report/operated-site.ts';
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
  type ConsoleRequest,
  note,
  RequestLink,
  refuseAction,
  Section,
  type SitePage,
  toSitePagePath,
} from './layout.tsx';

export const cachePage: SitePage = async (gateway, site, request) => {
  const { isCached, mountPath, name } = site;
  const address = (request.query.get('address') ?? '').trim();
  const explained = address === '' ? null : await gateway.explain(address, name);
  return (
    <>
      <Section id="store">
        {isCached ? await storedTables(gateway, site, request.query) : <p>Nothing of this site is cached.</p>}
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
        {explained === null ? null : explanation(explained, address, request, name, gateway.clock.now())}
      </Section>
      {!isCached ? null : (
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
  gateway: OperatedGateway,
  site: OperatedSite,
  query: URLSearchParams,
): Promise<Html> {
  const columns: readonly Column<StoredOperation>[] = [
    { heading: 'stored', cell: ({ name }) => shorten(name, 160) },
    numbers('entries', ({ entries }) => entries),
    numbers('bytes', (row) => row.bytes, formatBytes),
    numbers('hits', ({ traffic }) => traffic?.hits ?? 0),
    numbers('site asked', ({ traffic }) => traffic?.upstream.requests ?? 0),
  ];
  return (
    <>
      {storeState(gateway)}
      <Table
        label="Stored responses"
        columns={columns}
        rows={await site.listStored()}
        max={MAX_ROWS}
        empty="Nothing is stored."
        sorting={[query, 'store']}
      />
      <h2 id="unstored">Reads that are not stored</h2>
      {unstoredTable(site.listUnstored(), query)}
    </>
  );
}

export function storeState(gateway: OperatedGateway): Html | null {
  const store = gateway.readStore();
  if (store === null) return null;
  return store.state === 'cache-connected' ? <p>{store.message}</p> : note(store.message);
}

function unstoredTable(reads: readonly UnstoredRead[], query: URLSearchParams): Html {
  const rows = groupByFrequency(reads, ({ detail, operation }) => `${operation}\n${detail}`);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { heading: 'operation', cell: ({ operation }) => shorten(operation, 160) },
    {
      heading: 'why',
      cell: ({ detail, meaning }) => shorten(meaning === detail ? detail : `${detail}: ${meaning}`, 300),
    },
    { heading: 'what helps', cell: ({ remedy }) => <DescriptionText text={remedy} /> },
    numbers('requests', ({ all }) => all.length),
    { heading: 'last request', cell: ({ requestId }) => <RequestLink id={requestId} /> },
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

export const purge: ConsoleAction = async (gateway, form) => {
  const site = form.get('site') ?? '';
  const kind = form.get('kind') ?? '';
  const value = (form.get('value') ?? '').trim();
  const target = `site ${site}`;
  if (value === '' && kind !== 'site') return refuseAction(target, 'Type what to purge.');
  const isUrl = kind === 'url' || /^https?:/i.test(value);
  const route = value.startsWith('/') ? value : `/${value}`;
  const selector = kind === 'site' ? {} : isUrl ? { url: value } : { tags: [route] };
  const run = gateway.parsePurge({ site, ...selector });
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
