import { formatNumber } from '../count-of.ts';
import { groupBy } from '../group-by.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { RecordedProblem } from '../site/traffic/site-recorder.ts';
import type { Html } from '../ui/page.tsx';
import { List, Method, Time } from '../ui/parts.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { toPlainText } from '../ui/text.ts';
import { Section } from './layout.tsx';
import type { SitePage } from './page.ts';
import WORDS from './words.json' with { type: 'json' };

/** The requests of a site that were refused or that failed, the latest first. */
export const problemsPage: SitePage = ({ clock }, site) => (
  <Section id="problems" isLive>
    {problemTable(site, clock.now())}
  </Section>
);

const MAX_ROWS = 100;

function problemTable({ recorder }: MountedSite, now: number): Html {
  const groups = groupEqual(recorder.problems.list().filter(({ source }) => source !== 'early'));
  if (groups.length === 0) return <p>No request was refused or has failed since the gateway was started.</p>;
  const columns: readonly Column<ProblemGroup>[] = [
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
      cell: ({ status }) => <b class={`status-${Math.floor(status / 100)}`}>{status}</b>,
    },
    {
      heading: 'why',
      cell: (problem) => (
        <>
          {describeProblem(problem)}
          {problem.code === '' ? null : <small> ({toPlainText(problem.code, 80)})</small>}
          {problem.rules.length === 0 ? null : (
            <List
              items={problem.rules.map(({ param, rule }) => (
                <>
                  {param === '' ? 'the request as a whole' : <code>{toPlainText(param, 80)}</code>}
                  {`: ${toPlainText(explainCode(rule), 120)}`}
                </>
              ))}
            />
          )}
        </>
      ),
    },
    numbers('times', ({ times }) => formatNumber(times)),
    { heading: 'last', cell: ({ time }) => <Time at={time} now={now} /> },
    { heading: 'its id', cell: ({ requestId }) => <code>{toPlainText(requestId, 40)}</code> },
  ];
  return (
    <Table
      label="Refused and failed requests"
      look="problems"
      columns={columns}
      rows={groups.slice(0, MAX_ROWS)}
      total={groups.length}
    />
  );
}

/** Equal problems of several requests. The members are those of the latest. */
interface ProblemGroup extends RecordedProblem {
  readonly times: number;
}

/** Groups equal problems, so that one client that repeats its mistake hides no other. */
function groupEqual(problems: readonly RecordedProblem[]): readonly ProblemGroup[] {
  const groups = groupBy(problems, ({ cause, code, method, route, rules, source, status }) =>
    JSON.stringify([source, method, route, status, code, cause, rules]),
  );
  return [...groups.values()].flatMap(([latest, ...others]) =>
    latest === undefined ? [] : [{ ...latest, times: others.length + 1 }],
  );
}

export function describeProblem({ cause, code, detail, source, status }: RecordedProblem): string {
  if (source === 'gateway' || source === 'early') return `refused by the gateway: ${explainCode(code)}`;
  if (source === 'site') {
    const verb = status >= 500 ? 'the site failed' : 'refused by the site';
    const words = explainCode(code);
    const parts = [verb, STATUSES.get(String(status)), words === code ? undefined : words];
    return parts.filter((part) => part !== undefined).join(': ');
  }
  const words = `the site failed: ${FAILURES.get(cause) ?? cause}`;
  return detail === '' ? words : `${words} (${toPlainText(detail, 160)})`;
}

const CODES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.codes));

/** Explains a code in words; an unknown one is shown as it is. */
export function explainCode(code: string): string {
  return CODES.get(code) ?? code;
}

const FAILURES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.failures));

/** Meanings of statuses (RFC 9110 §15.5 and 15.6). */
const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.statuses));
