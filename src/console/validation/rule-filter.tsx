import { countOf, formatNumber } from '../../count-of.ts';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { RULE_STATES, type RuleState } from './rule-table.tsx';

/** Which rules a page shows. Empty texts select all. */
export interface RuleFilterValues {
  readonly state: string;
  readonly namespace: string;
  /** Part of the path, the parameter or the rule. */
  readonly search: string;
  /** The exact parameter and rule, from a link. */
  readonly param: string;
  readonly rule: string;
}

/** Counts of the validation of a site. */
export interface ValidationFigures {
  readonly mode: string;
  readonly operations: number;
  readonly validated: number;
  readonly refused: number;
  readonly tooComplex: number;
  readonly states: Readonly<Record<RuleState, number>>;
}

const MODES: Readonly<Record<string, string>> = {
  off: 'Requests are not validated.',
  observe: 'Invalid requests are forwarded, and the result is compared with the response of the site.',
  enforce: 'Requests that violate known or confirmed rules are refused.',
  strict: 'Requests are refused by every rule of the document that is not suspended.',
};

/** What the validation has done so far. */
export function ValidationSummary({ figures }: { readonly figures: ValidationFigures }): Html {
  const { mode, operations, refused, states, tooComplex, validated } = figures;
  return (
    <>
      <p class="lead">
        Mode <b>{mode}</b>. {MODES[mode] ?? ''}
      </p>
      <p>
        {`Validated: ${countOf(validated, 'request')} to ${countOf(operations, 'operation')}. Refused: ${formatNumber(refused)}.`}
        {tooComplex === 0 ? '' : ` Too complex to be validated: ${formatNumber(tooComplex)}.`}
      </p>
      <ul class="inline-list">
        {Object.keys(RULE_STATES).map((state) => (
          <li>
            <a href={`?state=${state}`}>{`${formatNumber(readCount(states, state))} ${state}`}</a>
          </li>
        ))}
      </ul>
      <details id="states">
        <summary>What the states mean</summary>
        <ul>
          {Object.values(RULE_STATES).map((words) => (
            <li>{words}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function readCount(states: Readonly<Record<string, number>>, state: string): number {
  return states[state] ?? 0;
}

/** The form that selects rules. It works without a script. */
export function RuleFilter({
  namespaces,
  values,
}: {
  readonly values: RuleFilterValues;
  readonly namespaces: readonly string[];
}): Html {
  return (
    <form method="get" class="filter">
      <label>
        State
        <select name="state">
          <option value="">all</option>
          {Object.entries(RULE_STATES).map(([state, words]) => (
            <option value={state} selected={state === values.state}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Namespace
        <select name="namespace">
          <option value="">all</option>
          {namespaces.map((namespace) => (
            <option value={namespace} selected={namespace === values.namespace}>
              {toPlainText(namespace, 60)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Search
        <input type="search" name="q" value={values.search} placeholder="path, parameter or rule" />
      </label>
      <button type="submit" class="button">
        Show
      </button>
      {values.param === '' && values.rule === '' ? null : (
        <span>
          {`Only ${toPlainText(values.param, 60)} ${toPlainText(values.rule, 60)}. `}
          <a href="?">Show all</a>
        </span>
      )}
    </form>
  );
}
