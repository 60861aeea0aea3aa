import { countOf, formatNumber } from '../../count-of.ts';
import { Select } from '../../ui/form.tsx';
import type { Html } from '../../ui/page.tsx';
import { LinkList, List, Method } from '../../ui/parts.tsx';
import { toPlainText } from '../../ui/text.ts';
import { parseOperationName, toKeyText, toOperationName } from '../../validation/evidence/ledger.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { RuleValidationReport } from '../validating/site-validation.ts';
import { ActionForm, toQueryUrl, toSitePagePath } from './layout.tsx';
import { getOperations, toDocsUrl } from './operations.tsx';
import {
  type ActionResult,
  type ConsoleAction,
  type ConsoleContext,
  type ConsolePage,
  type ConsoleRequest,
  createSitePage,
  type LinkingRequest,
  liveSection,
  NO_SUCH_SITE,
  section,
} from './page.ts';
import { explainCode } from './problems.tsx';
import WORDS from './words.json' with { type: 'json' };

const PAGE_SIZE = 50;

/** What a rule does at present, in words, in the order of the filter. */
const RULE_STATES: Readonly<Record<RuleState, string>> = WORDS.ruleStates;

type RuleState = keyof typeof WORDS.ruleStates;

/** The states of rules in operations whose requests are validated. */
const STATES = {
  core: 'known',
  confirmed: 'confirmed',
  suspended: 'suspended',
  unknown: 'watched',
} as const satisfies Readonly<Record<RuleValidationReport['status'], RuleState>>;

interface RuleRow extends RuleValidationReport {
  readonly state: RuleState;
  /** The operations where it was violated. */
  readonly places: readonly RulePlace[];
}

interface RulePlace {
  readonly method: string;
  readonly path: string;
  readonly docsUrl: string | null;
}

export function createValidationPage(context: ConsoleContext): ConsolePage {
  return createSitePage(context, 'validation', 'Validation', (site, request) => {
    const { query } = request;
    const list = () => listRules(context, site, request);
    return [
      liveSection('summary', '', () => summary(site, list())),
      section('filter', '', () => ruleFilter(query, site)),
      section('rules', 'Rules', () => {
        const selected = list().filter((row) => isSelected(row, query));
        return ruleList(request, siteKey(site), selected);
      }),
    ];
  });
}

/** Lists all rules with evidence, those that the site contradicts first. */
function listRules(context: ConsoleContext, site: MountedSite, request: LinkingRequest): readonly RuleRow[] {
  const { snapshot } = site.runtime;
  const known = getOperations(snapshot);
  const { mode, operations, rules } = site.validation.createReport(snapshot);
  const byName = new Map(operations.map((operation) => [toOperationName(operation), operation]));
  return rules.map((rule): RuleRow => {
    const modes = rule.operations.map((name) => byName.get(name)?.mode ?? mode);
    const isOff = modes.length > 0 && modes.every((each) => each === 'off');
    const places = rule.operations.slice(0, MAX_PLACES).map((name): RulePlace => {
      const { method, route } = parseOperationName(name);
      const id = snapshot?.requestValidators?.findOperation({ method, route })?.operation.id;
      const facts = id === undefined ? undefined : known.get(id);
      return {
        method,
        path: facts?.operation.path ?? route,
        docsUrl: id === undefined ? null : toDocsUrl(context, request, site, id),
      };
    });
    return { ...rule, places, state: isOff ? 'off' : STATES[rule.status] };
  });
}

/** Operations of one rule that are listed. */
const MAX_PLACES = 5;

const MODES: Readonly<Record<string, string>> = WORDS.modes;

function summary({ runtime, validation }: MountedSite, rules: readonly RuleRow[]): Html {
  const { mode, operations, tooComplex } = validation.createReport(runtime.snapshot);
  const validated = operations.reduce((sum, operation) => sum + operation.validated, 0);
  const refused = operations.reduce((sum, operation) => sum + operation.refused, 0);
  const countRules = (state: string): number => rules.filter((row) => row.state === state).length;
  return (
    <>
      <p class="lead">
        Mode <b>{mode}</b>. {MODES[mode] ?? ''}
      </p>
      <p>
        {`Validated: ${countOf(validated, 'request')} to ${countOf(operations.length, 'operation')}. Refused: ${formatNumber(refused)}.`}
        {tooComplex === 0 ? '' : ` Too complex to be validated: ${formatNumber(tooComplex)}.`}
      </p>
      <LinkList
        links={Object.keys(RULE_STATES).map((state) => [
          `${formatNumber(countRules(state))} ${state}`,
          `?state=${state}`,
        ])}
      />
      <details id="states">
        <summary>What the states mean</summary>
        <List items={Object.values(RULE_STATES)} />
      </details>
    </>
  );
}

/** What a query states exactly: the parameter and the rule in links alone. */
const EXACT_FILTERS = ['state', 'namespace', 'param', 'rule'] as const;

/** Returns what a query selects rules by. An empty text selects all; `q` is a part of the path, the parameter or the rule. */
function readFilter(query: URLSearchParams, name: (typeof EXACT_FILTERS)[number] | 'q'): string {
  return (query.get(name) ?? '').slice(0, 200);
}

function isSelected(row: RuleRow, query: URLSearchParams): boolean {
  const isExact = EXACT_FILTERS.every((name) => ['', row[name]].includes(readFilter(query, name)));
  const places = row.places.map(({ method, path }) => `${method} ${path}`);
  const text = [...places, row.param, row.rule].join(' ').toLowerCase();
  return isExact && text.includes(readFilter(query, 'q').toLowerCase());
}

/** The form that selects rules. It works without a script. */
function ruleFilter(query: URLSearchParams, { runtime }: MountedSite): Html {
  const [param, rule] = [readFilter(query, 'param'), readFilter(query, 'rule')];
  const operations = [...getOperations(runtime.snapshot).values()];
  const namespaces = new Set(operations.map(({ route }) => route.namespace));
  namespaces.delete('');
  const namespaceChoices = [...namespaces].sort().map((name) => [name, toPlainText(name, 60)] as const);
  return (
    <form method="get" class="filter">
      <Select
        label="State"
        name="state"
        value={readFilter(query, 'state')}
        choices={[['', 'all'], ...Object.entries(RULE_STATES)]}
      />
      <Select
        label="Namespace"
        name="namespace"
        value={readFilter(query, 'namespace')}
        choices={[['', 'all'], ...namespaceChoices]}
      />
      <label>
        Search
        <input type="search" name="q" value={readFilter(query, 'q')} placeholder="path, parameter or rule" />
      </label>
      <button type="submit" class="button">
        Show
      </button>
      {param === '' && rule === '' ? null : (
        <span>
          {`Only ${toPlainText(param, 60)} ${toPlainText(rule, 60)}. `}
          <a href="?">Show all</a>
        </span>
      )}
    </form>
  );
}

/** Rules with their evidence, and the operator's decisions about them. */
function ruleList(request: ConsoleRequest, site: string, rules: readonly RuleRow[]): Html {
  const { query } = request;
  const stated = Number(query.get('page') ?? 1);
  const page = Number.isSafeInteger(stated) && stated > 0 ? stated : 1;
  const shown = rules.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      {shown.length === 0 ? (
        <p>No rule with evidence matches.</p>
      ) : (
        <ol class="rules">{shown.map((row) => ruleItem(request, site, row))}</ol>
      )}
      <p class="choices">
        {page > 1 ? <a href={toQueryUrl(query, { page: String(page - 1) })}>Previous</a> : null}{' '}
        {rules.length > page * PAGE_SIZE ? (
          <a href={toQueryUrl(query, { page: String(page + 1) })}>{`Next (${rules.length} in all)`}</a>
        ) : null}
      </p>
    </>
  );
}

function ruleItem(request: ConsoleRequest, site: string, row: RuleRow): Html {
  const { decision, examples, namespace, operations, param, places, rule, state } = row;
  // Evidence that says the same needs no decision.
  const isSettled = (next: 'confirmed' | 'suspended'): boolean =>
    decision === next || (decision === null && state === next);
  const name = `${namespace} ${param} ${rule}`;
  const query = request.query.toString();
  const decide = (next: string, button: string, label: string): Html => (
    <ActionForm
      request={request}
      action="decide-rule"
      fields={{ site, key: toKeyText(row), decision: next, query }}
      button={button}
      label={label}
    />
  );
  return (
    <li>
      <p>
        {places.map(({ docsUrl, method, path }) => (
          <>
            <Method method={method} />{' '}
            {docsUrl === null ? (
              <code>{toPlainText(path, 160)}</code>
            ) : (
              <a href={docsUrl}>{toPlainText(path, 160)}</a>
            )}{' '}
          </>
        ))}
        {operations.length > places.length ? `and ${operations.length - places.length} more` : null}
      </p>
      <p>
        <code>{toPlainText(namespace, 80)}</code>{' '}
        {param === '' ? 'the request as a whole' : <code>{toPlainText(param, 80)}</code>}:{' '}
        {toPlainText(explainCode(rule), 120)} <small>{toPlainText(rule, 80)}</small>
      </p>
      <p>
        <b class={`rule-state rule-${state}`}>{state}</b>{' '}
        {decision === null ? null : <b class="rule-state">{`decided by the operator: ${decision}`}</b>}{' '}
        <span>{describeCounts(row)}</span>
      </p>
      {examples.length === 0 ? null : (
        <p>
          Accepted by the site:{' '}
          {examples.map(({ status, value }) => (
            <>
              <code>{toPlainText(value, 80)}</code> {`(${status}) `}
            </>
          ))}
        </p>
      )}
      <div class="actions">
        {isSettled('confirmed') ? null : decide('confirmed', 'Confirm', `Confirm ${name}`)}
        {isSettled('suspended') ? null : decide('suspended', 'Suspend', `Suspend ${name}`)}
        {decision === null ? null : decide('', 'Leave it to the evidence', `Leave ${name} to the evidence`)}
      </div>
    </li>
  );
}

/** Requests that the gateway refuses are not compared, so they say nothing about the rule. */
function describeCounts({ agreed, broken, disagreed, refused }: RuleRow): string {
  // An error of the site, or a refusal for another reason, says nothing about the rule.
  const undecided = broken - agreed - disagreed;
  const rest =
    undecided <= 0 ? '' : `, and ${formatNumber(undecided)} ${undecided === 1 ? 'is' : 'are'} undecided`;
  const compared =
    broken === 0
      ? 'not compared with the site yet'
      : `the site has seen ${countOf(broken, 'violating request')}: it refused ${formatNumber(agreed)} and accepted ${formatNumber(disagreed)}${rest}`;
  const times = refused === 1 ? 'once' : `${formatNumber(refused)} times`;
  return refused === 0 ? compared : `${compared}; the gateway refused ${times}`;
}

/** Confirms or suspends a rule, or leaves it to the evidence again. */
export function createRuleAction({ sites }: ConsoleContext): ConsoleAction {
  return {
    name: 'decide-rule',
    run(form): ActionResult {
      const read = (name: string): string => form.get(name) ?? '';
      const site = findSiteByKey(sites, read('site'));
      if (site === undefined) return NO_SUCH_SITE;
      const page = `${toSitePagePath(siteKey(site), 'validation')}?${new URLSearchParams(read('query'))}`;
      const key = read('key');
      const text = read('decision');
      const decision = text === 'confirmed' || text === 'suspended' ? text : null;
      const rule = site.validation.decide(key, decision);
      const named = rule === null ? key : `${rule.namespace} (${rule.use}), ${rule.param} ${rule.rule}`;
      const target = `site ${siteKey(site)}, ${named}: ${decision ?? 'evidence'}`;
      if (rule === null)
        return { result: 'refused', target, notice: 'There is no evidence about this rule any more.', page };
      const notice = `${rule.param} ${rule.rule}: ${NOTICES[decision ?? 'evidence']}`;
      return { result: 'done', target, notice, page };
    },
  };
}

const NOTICES: Readonly<Record<'confirmed' | 'suspended' | 'evidence', string>> = WORDS.decisions;
