import type { ConsolePage, ConsoleRequest } from '../../console/index.ts';
import { PROBLEM_SOURCES, type ProblemRow, ProblemTable } from '../../console/problems/problem-table.tsx';
import { toSitePageUrl } from '../../console/shell/console-layout.tsx';
import { ChoiceLinks, toQueryUrl } from '../../console/shell/query-links.tsx';
import { shorten } from '../../docs/details/plain-text.ts';
import { describeSchemaFacts } from '../../docs/details/schema-facts.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { RecordedProblem } from '../traffic/site-problems.ts';
import type { ConsoleContext } from './console-context.ts';
import { toDocsUrl } from './console-links.tsx';
import { getOperations } from './operation-facts.ts';

/** Problems of one page. */
const PAGE_SIZE = 50;

/** The recent refusals and errors of a site. */
export function createProblemsPage(context: ConsoleContext): ConsolePage {
  return {
    path: 'sites/:site/problems',
    render(request) {
      const site = findSiteByKey(context.sites, request.params['site'] ?? '');
      if (site === undefined) return null;
      const { query } = request;
      const source = query.get('source') ?? '';
      const operation = query.get('operation') ?? '';
      const choices = [['', 'all'] as const, ...Object.entries(PROBLEM_SOURCES)].map(([value, text]) => ({
        value,
        text,
        url: toQueryUrl(query, { source: value, before: '' }),
      }));
      const list = () => selectProblems(site, query);
      return {
        title: 'Problems',
        tab: 'problems',
        site: siteKey(site),
        sections: [
          {
            id: 'filter',
            content: () => (
              <>
                <ChoiceLinks choices={choices} current={source} label="Cause" />
                {operation === '' ? null : (
                  <p>
                    Of one operation. <a href={toQueryUrl(query, { operation: '' })}>Show all</a>
                  </p>
                )}
              </>
            ),
          },
          {
            id: 'problems',
            isLive: !query.has('before'),
            content: () => {
              const { problems, rest } = list();
              const last = problems.at(-1);
              return (
                <>
                  <ProblemTable
                    rows={problems.map((problem) => toRow(context, site, problem, request))}
                    now={context.clock.now()}
                  />
                  {rest === 0 || last === undefined ? null : (
                    <p>
                      <a href={toQueryUrl(query, { before: String(last.number) })}>{`Older (${rest})`}</a>
                    </p>
                  )}
                </>
              );
            },
          },
        ],
      };
    },
  };
}

/** Selects the problems of one page, and counts the older ones. */
function selectProblems(
  { recorder }: MountedSite,
  query: URLSearchParams,
): { readonly problems: readonly ProblemGroup[]; readonly rest: number } {
  const source = query.get('source') ?? '';
  const operation = query.get('operation') ?? '';
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const selected = groupEqual(recorder.problems.list())
    .filter((problem) => source === '' || problem.source === source)
    .filter((problem) => operation === '' || problem.operation === operation)
    .filter(({ number }) => Number.isNaN(before) || number < before);
  return { problems: selected.slice(0, PAGE_SIZE), rest: Math.max(0, selected.length - PAGE_SIZE) };
}

/** Equal problems of several requests. The members are those of the latest. */
interface ProblemGroup extends RecordedProblem {
  readonly times: number;
}

/** Groups equal problems, so that one client that repeats its mistake hides no other. */
function groupEqual(problems: readonly RecordedProblem[]): readonly ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const problem of problems) {
    const { cause, code, method, route, rules, source, status } = problem;
    const key = JSON.stringify([source, method, route, status, code, cause, rules]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? { ...problem, times: 1 } : { ...known, times: known.times + 1 });
  }
  return [...groups.values()];
}

function toRow(
  context: ConsoleContext,
  site: MountedSite,
  problem: ProblemGroup,
  { root }: ConsoleRequest,
): ProblemRow {
  const key = siteKey(site);
  const { operation, rules } = problem;
  const facts = operation === null ? undefined : getOperations(site.runtime.snapshot).get(operation);
  const search = facts?.operation.path ?? problem.route;
  return {
    ...problem,
    rules: rules.map(({ param, rule }) => ({
      param,
      rule,
      expected: describeParameter(facts?.operation, param),
      url: `${toSitePageUrl(root, key, 'validation')}?${new URLSearchParams({ q: search, param, rule })}`,
    })),
    docsUrl: operation === null ? null : toDocsUrl(context, root, site, operation),
    trafficUrl:
      operation === null || facts === undefined
        ? null
        : `${toSitePageUrl(root, key, 'traffic')}/${encodeURIComponent(operation)}`,
  };
}

/** Describes what the document states about a parameter of the path or the query, without its default. */
function describeParameter(operation: ServedOperation | undefined, name: string): string {
  const parameter = operation?.parameters.find((each) => each.name === name);
  if (parameter === undefined) return '';
  const facts = describeSchemaFacts(parameter.schema).filter(({ label }) => label !== 'Default');
  return facts
    .map(({ label, values }) => `${label.toLowerCase()} ${shorten(values.join(', '), 200)}`)
    .join(', ');
}
