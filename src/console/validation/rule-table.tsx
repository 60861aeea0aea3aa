import { countOf, formatNumber } from '../../count-of.ts';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { Method } from '../../docs/pages/parts.tsx';
import type { ConsoleRequest } from '../console-page.ts';
import { explainCode } from '../problems/problem-words.ts';
import { ActionForm } from '../shell/forms.tsx';

/** What a rule does at present. */
export type RuleState = 'off' | 'watched' | 'known' | 'confirmed' | 'suspended';

/** The states in words, in the order of the filter. */
export const RULE_STATES: Readonly<Record<RuleState, string>> = {
  suspended: 'suspended: the site accepted a request that violates it, so it is ignored',
  watched: 'watched: the site has not been seen to apply it',
  confirmed: 'confirmed: the site has refused a request by it',
  known: 'known: WordPress itself has it',
  off: 'off: requests to the operation are not validated',
};

/** One rule with its evidence. */
export interface RuleRow {
  readonly method: string;
  /** The site's route pattern, which identifies the operation in forms. */
  readonly pattern: string;
  /** Path template. */
  readonly path: string;
  /** Empty for a rule of the request as a whole. */
  readonly param: string;
  readonly rule: string;
  readonly state: RuleState;
  /** What the operator has decided; `null` if the evidence decides. */
  readonly decision: 'confirmed' | 'suspended' | null;
  /** Forwarded requests that violated the rule, and how the site responded. */
  readonly agreed: number;
  readonly disagreed: number;
  readonly broken: number;
  /** Requests that were to be refused for the rule. */
  readonly refused: number;
  /** Violations that the site accepted: shapes of values, no values. */
  readonly examples: readonly { readonly value: string; readonly status: number }[];
  readonly docsUrl: string | null;
}

/** Properties of {@link RuleTable}. */
export interface RuleTableProps {
  readonly request: ConsoleRequest;
  readonly site: string;
  readonly rows: readonly RuleRow[];
  /** Query of the page, to which an action returns. */
  readonly query: string;
}

/** Rules with their evidence, and the operator's decisions about them. */
export function RuleTable({ query, request, rows, site }: RuleTableProps): Html {
  if (rows.length === 0) return <p>No rule with evidence matches.</p>;
  return (
    <ol class="rules">
      {rows.map((row) => (
        <Rule request={request} site={site} row={row} query={query} />
      ))}
    </ol>
  );
}

function Rule(props: Omit<RuleTableProps, 'rows'> & { readonly row: RuleRow }): Html {
  const { query, request, row, site } = props;
  const { decision, docsUrl, examples, method, param, path, rule } = row;
  return (
    <li>
      <p>
        <Method method={method} />{' '}
        {docsUrl === null ? (
          <code>{toPlainText(path, 160)}</code>
        ) : (
          <a href={docsUrl}>{toPlainText(path, 160)}</a>
        )}
      </p>
      <p>
        {param === '' ? 'the request as a whole' : <code>{toPlainText(param, 80)}</code>}:{' '}
        {toPlainText(explainCode(rule), 120)} <small>{toPlainText(rule, 80)}</small>
      </p>
      <p>
        <b class={`rule-state rule-${row.state}`}>{row.state}</b>{' '}
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
      <RuleActions query={query} request={request} site={site} row={row} />
    </li>
  );
}

function RuleActions({
  query,
  request,
  row,
  site,
}: Omit<RuleTableProps, 'rows'> & { readonly row: RuleRow }): Html {
  const { decision, method, param, path, pattern, rule, state } = row;
  // Evidence that says the same needs no decision.
  const isSettled = (next: 'confirmed' | 'suspended') =>
    decision === next || (decision === null && state === next);
  const name = `${method} ${path} ${param} ${rule}`;
  const fields = (next: string) => ({ site, method, pattern, param, rule, decision: next, query });
  return (
    <div class="actions">
      {isSettled('confirmed') ? null : (
        <ActionForm
          request={request}
          action="decide-rule"
          fields={fields('confirmed')}
          button="Confirm"
          label={`Confirm ${name}`}
        />
      )}
      {isSettled('suspended') ? null : (
        <ActionForm
          request={request}
          action="decide-rule"
          fields={fields('suspended')}
          button="Suspend"
          label={`Suspend ${name}`}
        />
      )}
      {decision === null ? null : (
        <ActionForm
          request={request}
          action="decide-rule"
          fields={fields('')}
          button="Leave it to the evidence"
          label={`Leave ${name} to the evidence`}
        />
      )}
    </div>
  );
}

/** Requests that the gateway refuses are not compared, so they say nothing about the rule. */
function describeCounts({ agreed, broken, disagreed, refused }: RuleRow): string {
  const compared =
    broken === 0
      ? 'not compared with the site yet'
      : `the site has seen ${countOf(broken, 'violating request')}: it refused ${formatNumber(agreed)} and accepted ${formatNumber(disagreed)}${describeUndecided(broken - agreed - disagreed)}`;
  return refused === 0 ? compared : `${compared}; the gateway refused ${times(refused)}`;
}

/** An error of the site, or a refusal for another reason, says nothing about the rule. */
function describeUndecided(count: number): string {
  return count <= 0 ? '' : `, and ${formatNumber(count)} ${count === 1 ? 'is' : 'are'} undecided`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatNumber(count)} times`;
}
