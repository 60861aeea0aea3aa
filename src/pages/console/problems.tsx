import { groupEqual } from '../../base/group-by.ts';
import { countOf, formatNumber, shorten, toPlainText } from '../../base/text.ts';
import { MAX_PROBLEMS, type OperatedSite } from '../../gateway/report/operated-site.ts';
import { Clock, type Column, type Html, List, Method, numbers, Table } from '../ui/page.tsx';
import { RequestLink, Section, type SitePage } from './layout.tsx';

export const problemsPage: SitePage = ({ clock }, site, { query }) => (
  <>
    <form method="get" class="filter">
      <label>
        Status (5xx), method, route, code, client or id
        <input type="search" name="q" value={query.get('q') ?? ''} spellcheck={false} />
      </label>
      <button type="submit" class="button">
        Filter
      </button>
    </form>
    <Section id="problems" isLive>
      <p>The last requests of each kind. 404 and 410 of the site are counted at its operations only.</p>
      {problemTable(site, clock.now(), query)}
    </Section>
  </>
);

function toClass(status: number): number {
  return Math.floor(status / 100);
}

function problemTable(site: OperatedSite, now: number, query: URLSearchParams): Html {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/);
  const problems = site.listProblems().filter(({ client, code, method, requestId, route, status }) => {
    const texts = [status, `${toClass(status)}xx`, method, route, code, requestId, client];
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  // One client that repeats its mistake hides no other.
  const groups = groupEqual(problems, ({ cause, code, method, route, rules, source, status: got }) =>
    JSON.stringify([source, method, route, got, code, cause, rules]),
  ).toSorted((one, other) => Number(other.status >= 500) - Number(one.status >= 500));
  const columns: readonly Column<(typeof groups)[number]>[] = [
    {
      heading: 'request',
      cell: ({ method, route }) => (
        <>
          <Method method={toPlainText(method, 20)} /> <code>{toPlainText(route, 160)}</code>
        </>
      ),
    },
    {
      heading: 'status',
      cell: ({ status }) => <b class={`status-${toClass(status)}`}>{status}</b>,
      rank: ({ status }) => status,
    },
    {
      heading: 'why',
      cell: ({ broken, code, why }) => (
        <>
          {why}
          {code === '' ? null : <small> ({toPlainText(code, 80)})</small>}
          {broken.length === 0 ? null : <List items={broken} />}
        </>
      ),
    },
    numbers(
      'times',
      ({ all }) => all.length,
      (count) => (count < MAX_PROBLEMS ? formatNumber(count) : `${MAX_PROBLEMS} or more`),
    ),
    {
      heading: 'client',
      cell: ({ all, client }) => {
        const count = new Set(all.map((each) => each.client)).size;
        return count === 1 ? shorten(client, 60) : countOf(count, 'client');
      },
    },
    {
      heading: 'last',
      cell: ({ requestId, time }) => (
        <>
          <Clock at={time} now={now} />, <RequestLink id={requestId} />
        </>
      ),
      rank: ({ time }) => time,
    },
  ];
  return (
    <Table
      label="Refused and failed requests"
      columns={columns}
      rows={groups}
      max={100}
      empty="No refused or failed request is kept."
      sorting={[query, 'problems']}
    />
  );
}
