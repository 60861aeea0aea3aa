import { countOf } from '../../count-of.ts';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';

/** A remark about the site's index. Its texts come from the site. */
export interface IndexRemark {
  readonly rule: string;
  readonly severity: 'info' | 'warning';
  readonly route?: string;
  readonly pointer: string;
  readonly message: string;
  readonly action: string;
}

/** Remarks that one rule shows. */
const MAX_SHOWN = 50;

/** The remarks about a site's index, folded by rule, those with warnings first, then the most frequent. */
export function IndexRemarks({
  counts,
  remarks,
}: {
  /** Number of all remarks by rule. */
  readonly counts: readonly (readonly [rule: string, count: number])[];
  readonly remarks: readonly IndexRemark[];
}): Html {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const warned = new Set(remarks.flatMap(({ rule, severity }) => (severity === 'warning' ? [rule] : [])));
  const sorted = counts.toSorted(([one], [other]) => Number(warned.has(other)) - Number(warned.has(one)));
  const warnings = remarks.filter(({ severity }) => severity === 'warning').length;
  return (
    <>
      <p>
        {countOf(total, 'remark')} about the site's index: {countOf(warnings, 'warning')}, where the document
        may lack something or accept more than the site; the rest was repaired without loss.
      </p>
      {sorted.map(([rule, count]) => (
        <RuleRemarks rule={rule} count={count} remarks={remarks.filter((remark) => remark.rule === rule)} />
      ))}
    </>
  );
}

function RuleRemarks({
  count,
  remarks,
  rule,
}: {
  readonly rule: string;
  readonly count: number;
  readonly remarks: readonly IndexRemark[];
}): Html {
  const shown = remarks.slice(0, MAX_SHOWN);
  const isWarning = remarks.some(({ severity }) => severity === 'warning');
  return (
    <details>
      <summary>
        <code>{rule}</code> {count.toLocaleString('en')}{' '}
        {isWarning ? <b class="state warning">warning</b> : null}
      </summary>
      <ul class="remarks">
        {shown.map(({ action, message, pointer, route }) => (
          <li>
            {route === undefined ? null : <code>{toPlainText(route, 160)}</code>} {toPlainText(message, 400)}{' '}
            {toPlainText(action, 400)}
            <small class="place">{toPlainText(pointer, 300)}</small>
          </li>
        ))}
      </ul>
      {count > shown.length ? (
        <p class="aside">
          And {(count - shown.length).toLocaleString('en')} more: `waygate generate` lists all.
        </p>
      ) : null}
    </details>
  );
}
