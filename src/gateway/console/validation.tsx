import type { ActionResult, ConsoleAction, ConsolePage } from '../../console/index.ts';
import { toSitePagePath } from '../../console/shell/console-layout.tsx';
import { toQueryUrl } from '../../console/shell/query-links.tsx';
import {
  RuleFilter,
  type RuleFilterValues,
  type ValidationFigures,
  ValidationSummary,
} from '../../console/validation/rule-filter.tsx';
import { type RuleRow, type RuleState, RuleTable } from '../../console/validation/rule-table.tsx';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { OperationValidationReport, RuleValidationReport } from '../validating/validation-report.ts';
import type { ConsoleContext } from './console-context.ts';
import { toDocsUrl } from './console-links.tsx';
import { getOperations } from './operation-facts.ts';

/** Rules of one page. */
const PAGE_SIZE = 50;

/** The rules of a site with their evidence. */
export function createValidationPage(context: ConsoleContext): ConsolePage {
  return {
    path: 'sites/:site/validation',
    render(request) {
      const site = findSiteByKey(context.sites, request.params['site'] ?? '');
      if (site === undefined) return null;
      const { query, root } = request;
      const key = siteKey(site);
      const values = readFilter(query);
      return {
        title: 'Validation',
        tab: 'validation',
        site: key,
        sections: [
          {
            id: 'summary',
            isLive: true,
            content: () => <ValidationSummary figures={summarize(site, listRules(context, site, root))} />,
          },
          {
            id: 'filter',
            content: () => <RuleFilter values={values} namespaces={listNamespaces(site)} />,
          },
          {
            id: 'rules',
            title: 'Rules',
            content() {
              const selected = listRules(context, site, root).filter(({ namespace, row }) =>
                isSelected(row, namespace, values),
              );
              const page = readPage(query);
              const rows = selected.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ row }) => row);
              return (
                <>
                  <RuleTable request={request} site={key} rows={rows} query={query.toString()} />
                  <p class="choices">
                    {page > 1 ? <a href={toQueryUrl(query, { page: String(page - 1) })}>Previous</a> : null}{' '}
                    {selected.length > page * PAGE_SIZE ? (
                      <a
                        href={toQueryUrl(query, { page: String(page + 1) })}
                      >{`Next (${selected.length} in all)`}</a>
                    ) : null}
                  </p>
                </>
              );
            },
          },
        ],
      };
    },
  };
}

/** Confirms or suspends a rule, or leaves it to the evidence again. */
export function createRuleActions({ sites }: ConsoleContext): readonly ConsoleAction[] {
  return [
    {
      name: 'decide-rule',
      run(form): ActionResult {
        const read = (name: string): string => form.get(name) ?? '';
        const site = findSiteByKey(sites, read('site'));
        if (site === undefined)
          return { result: 'refused', target: '', notice: 'There is no such site.', page: '' };
        const page = `${toSitePagePath(siteKey(site), 'validation')}?${new URLSearchParams(read('query'))}`;
        const [method, route, param, rule, text] = ['method', 'pattern', 'param', 'rule', 'decision'].map(
          read,
        );
        const decision = text === 'confirmed' || text === 'suspended' ? text : null;
        const operation = { method: method ?? '', route: route ?? '' };
        const isKnown = site.validation.decide(operation, { param: param ?? '', rule: rule ?? '' }, decision);
        const target = `site ${siteKey(site)}, ${method} ${route}, ${param} ${rule}: ${decision ?? 'evidence'}`;
        return isKnown
          ? { result: 'done', target, notice: `${param} ${rule}: ${NOTICES[decision ?? 'evidence']}`, page }
          : { result: 'refused', target, notice: 'There is no evidence about this rule any more.', page };
      },
    },
  ];
}

const NOTICES = {
  confirmed: 'confirmed. The decision ends if the site accepts a request that violates the rule.',
  suspended: 'suspended. Requests that violate the rule are forwarded.',
  evidence: 'left to the evidence.',
} as const;

interface ListedRule {
  readonly namespace: string;
  readonly row: RuleRow;
}

/** Lists all rules with evidence, those that the site contradicts first. */
function listRules(context: ConsoleContext, site: MountedSite, root: string): readonly ListedRule[] {
  const { operations } = site.validation.createReport(site.runtime.snapshot);
  const known = getOperations(site.runtime.snapshot);
  return operations
    .flatMap((operation) => {
      const facts = operation.operation === null ? undefined : known.get(operation.operation);
      const docsUrl =
        operation.operation === null ? null : toDocsUrl(context, root, site, operation.operation);
      return operation.rules.map((rule) => ({
        namespace: facts?.route.namespace ?? '',
        row: toRow(operation, rule, facts?.operation.path ?? operation.route, docsUrl),
      }));
    })
    .sort(({ row: one }, { row: other }) => other.disagreed - one.disagreed || other.broken - one.broken);
}

function toRow(
  { method, mode, route }: OperationValidationReport,
  rule: RuleValidationReport,
  path: string,
  docsUrl: string | null,
): RuleRow {
  const state: RuleState = mode === 'off' ? 'off' : STATES[rule.status];
  return { ...rule, method, pattern: route, path, state, docsUrl };
}

const STATES = {
  core: 'known',
  confirmed: 'confirmed',
  suspended: 'suspended',
  unknown: 'watched',
} as const satisfies Readonly<Record<RuleValidationReport['status'], RuleState>>;

function readFilter(query: URLSearchParams): RuleFilterValues {
  const read = (name: string): string => (query.get(name) ?? '').slice(0, 200);
  return {
    state: read('state'),
    namespace: read('namespace'),
    search: read('q'),
    param: read('param'),
    rule: read('rule'),
  };
}

function isSelected(row: RuleRow, rowNamespace: string, values: RuleFilterValues): boolean {
  const { namespace, param, rule, search, state } = values;
  if (state !== '' && row.state !== state) return false;
  if (namespace !== '' && rowNamespace !== namespace) return false;
  if (param !== '' && row.param !== param) return false;
  if (rule !== '' && row.rule !== rule) return false;
  const text = `${row.method} ${row.path} ${row.param} ${row.rule}`.toLowerCase();
  return text.includes(search.toLowerCase());
}

function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

function listNamespaces({ runtime }: MountedSite): readonly string[] {
  const namespaces = Array.from(getOperations(runtime.snapshot).values(), ({ route }) => route.namespace);
  return [...new Set(namespaces)].filter((namespace) => namespace !== '').sort();
}

function summarize({ runtime, validation }: MountedSite, rules: readonly ListedRule[]): ValidationFigures {
  const { mode, operations, tooComplex } = validation.createReport(runtime.snapshot);
  const states = { off: 0, watched: 0, known: 0, confirmed: 0, suspended: 0 };
  for (const { row } of rules) states[row.state] += 1;
  return {
    mode,
    operations: operations.length,
    validated: operations.reduce((sum, operation) => sum + operation.validated, 0),
    refused: operations.reduce((sum, operation) => sum + operation.refused, 0),
    tooComplex,
    states,
  };
}
