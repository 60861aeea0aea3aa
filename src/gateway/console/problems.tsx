import { formatNumber } from '../../count-of.ts';
import { describeSchemaFacts } from '../../docs/schema-tree.ts';
import { groupBy } from '../../group-by.ts';
import type { Operation } from '../../openapi/index.ts';
import { explainCacheStatus } from '../../ui/cache-words.ts';
import type { Html } from '../../ui/page.tsx';
import { Method, Time } from '../../ui/parts.tsx';
import { shorten, toPlainText } from '../../ui/text.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { RecordedProblem } from '../traffic/site-recorder.ts';
import { ChoiceLinks, toQueryUrl } from './layout.tsx';
import { getOperations, toDocsUrl, toTrafficUrl } from './operations.tsx';
import {
  type ConsoleContext,
  type ConsolePage,
  type ConsoleRequest,
  createSitePage,
  type LinkingRequest,
  section,
} from './page.ts';
import WORDS from './words.json' with { type: 'json' };

const PAGE_SIZE = 50;

/** Where errors come from, as the filter names it. */
const SOURCES: readonly (readonly [source: string, text: string])[] = [
  ['', 'all'],
  ['gateway', 'gateway'],
  ['failure', 'no response'],
  ['site', 'site'],
];

export function createProblemsPage(context: ConsoleContext): ConsolePage {
  return createSitePage(context, 'problems', 'Problems', (site, request) => {
    const { query } = request;
    return [
      section('filter', '', () => problemFilter(query)),
      section('problems', '', () => problemList(context, site, request), !query.has('before')),
    ];
  });
}

function problemList(context: ConsoleContext, site: MountedSite, request: ConsoleRequest): Html {
  const selected = selectProblems(site, request.query);
  const shown = selected.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  const rest = selected.length - shown.length;
  if (last === undefined) return <p>No such problem since the gateway was started.</p>;
  const olderUrl = toQueryUrl(request.query, { before: String(last.number) });
  return (
    <>
      <ol class="problems">{shown.map((each) => problemItem(context, site, each, request))}</ol>
      {rest === 0 ? null : (
        <p>
          <a href={olderUrl}>{`Older (${rest})`}</a>
        </p>
      )}
    </>
  );
}

function problemFilter(query: URLSearchParams): Html {
  const choices = SOURCES.map(([value, text]) => ({
    value,
    text,
    url: toQueryUrl(query, { source: value, before: '' }),
  }));
  return (
    <>
      <ChoiceLinks choices={choices} current={query.get('source') ?? ''} label="Cause" />
      {(query.get('operation') ?? '') === '' ? null : (
        <p>
          Of one operation. <a href={toQueryUrl(query, { operation: '' })}>Show all</a>
        </p>
      )}
    </>
  );
}

function selectProblems({ recorder }: MountedSite, query: URLSearchParams): readonly ProblemGroup[] {
  const source = query.get('source') ?? '';
  const operation = query.get('operation') ?? '';
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  return groupEqual(recorder.problems.list())
    .filter((problem) => source === '' || problem.source === source)
    .filter((problem) => operation === '' || problem.operation === operation)
    .filter(({ number }) => Number.isNaN(before) || number < before);
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

function problemItem(
  context: ConsoleContext,
  site: MountedSite,
  problem: ProblemGroup,
  request: LinkingRequest,
): Html {
  const { root } = request;
  const { cacheStatus, code, method, number, requestId, route, rules, source, status } = problem;
  const id = problem.operation ?? '';
  const operation = getOperations(site.runtime.snapshot).get(id)?.operation;
  const docsUrl = id === '' ? null : toDocsUrl(context, request, site, id);
  return (
    <li id={`problem-${number}`}>
      <p class="problem-head">
        <b class={`status status-${Math.floor(status / 100)}`}>{status}</b>{' '}
        <Method method={toPlainText(method, 20)} /> <code>{toPlainText(route, 160)}</code>
        <span class="problem-time">
          {problem.times === 1 ? null : `${formatNumber(problem.times)} times, `}
          <Time at={problem.time} now={context.clock.now()} />
        </span>
      </p>
      <p>{describeProblem(problem)}</p>
      {rules.length === 0 ? null : (
        <ul>
          {rules.map(({ param, rule }) => {
            const expected = describeParameter(operation, param);
            return (
              <li>
                {param === '' ? 'the request as a whole' : <code>{toPlainText(param, 80)}</code>}
                {': '}
                {toPlainText(explainCode(rule), 120)}
                {expected === '' ? null : ` (${expected})`}
              </li>
            );
          })}
        </ul>
      )}
      {cacheStatus === '' || source === 'site' ? null : <p>{explainCacheStatus(cacheStatus)}</p>}
      <p class="problem-links">
        <small>
          {code === '' ? null : (
            <>
              code <code>{toPlainText(code, 80)}</code>,{' '}
            </>
          )}
          request <code>{toPlainText(requestId, 40)}</code>
        </small>
        {docsUrl === null ? null : <a href={docsUrl}>Documentation</a>}
        {operation === undefined ? null : <a href={toTrafficUrl(root, site, id)}>Traffic</a>}
      </p>
    </li>
  );
}

export function describeProblem({ cause, code, detail, source, status }: RecordedProblem): string {
  if (source === 'gateway') return `refused by the gateway: ${explainCode(code)}`;
  if (source === 'site') {
    const verb = status >= 500 ? 'the site failed' : 'refused by the site';
    const words = explainCode(code);
    const parts = [verb, STATUSES.get(String(status)), words === code ? undefined : words];
    return parts.filter((part) => part !== undefined).join(': ');
  }
  const words = `the site failed: ${FAILURES.get(cause) ?? cause}`;
  return detail === '' ? words : `${words} (${toPlainText(detail, 160)})`;
}

/** Describes what the document states about a parameter of the path or the query, without its default. */
function describeParameter(operation: Operation | undefined, name: string): string {
  const parameter = operation?.parameters.find((each) => each.name === name);
  if (parameter === undefined) return '';
  return describeSchemaFacts(parameter.schema)
    .filter(({ label }) => label !== 'Default')
    .map(({ label, values }) => `${label.toLowerCase()} ${shorten(values.join(', '), 200)}`)
    .join(', ');
}

const CODES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.codes));

/** Explains a code in words; an unknown one is shown as it is. */
export function explainCode(code: string): string {
  return CODES.get(code) ?? code;
}

const FAILURES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.failures));

/** What statuses of a site's response say (RFC 9110 §15.5 and 15.6). */
const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.statuses));
