import { countOf, formatNumber } from '../../count-of.ts';
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

/** Remarks of different words that one rule shows. */
const MAX_SHOWN = 50;
/** Routes that a remark of the same words shows. */
const MAX_ROUTES = 12;

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

/** Remarks of the same words, which are about several places. */
interface RemarkGroup extends Pick<IndexRemark, 'message' | 'action'> {
  readonly remarks: readonly IndexRemark[];
}

/** Groups remarks of the same words, the most frequent first. */
function groupByWords(remarks: readonly IndexRemark[]): readonly RemarkGroup[] {
  const groups = new Map<string, IndexRemark[]>();
  for (const remark of remarks) {
    const key = `${remark.message}\n${remark.action}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [remark]);
    else group.push(remark);
  }
  return Array.from(groups.values(), (members) => ({
    message: members[0]?.message ?? '',
    action: members[0]?.action ?? '',
    remarks: members,
  })).sort((one, other) => other.remarks.length - one.remarks.length);
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
  const groups = groupByWords(remarks);
  const shown = groups.slice(0, MAX_SHOWN);
  const rest = count - shown.reduce((sum, group) => sum + group.remarks.length, 0);
  const isWarning = remarks.some(({ severity }) => severity === 'warning');
  return (
    <details>
      <summary>
        <code>{rule}</code> {formatNumber(count)} {isWarning ? <b class="state warning">warning</b> : null}{' '}
        <small>{toPlainText(groups[0]?.message, 120)}</small>
      </summary>
      <ul class="remarks">
        {shown.map(({ action, message, remarks: members }) => (
          <li>
            {toPlainText(message, 400)} {toPlainText(action, 400)}
            <small class="place">
              <Places remarks={members} />
            </small>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p class="aside">And {formatNumber(rest)} more: `waygate generate` lists all.</p> : null}
    </details>
  );
}

/** The place of a remark, or the routes of several with their numbers. */
function Places({ remarks }: { readonly remarks: readonly IndexRemark[] }): Html {
  const [first] = remarks;
  if (first !== undefined && remarks.length === 1) return <>{toPlainText(first.pointer, 300)}</>;
  const counts = new Map<string, number>();
  for (const { pointer, route = pointer } of remarks) counts.set(route, (counts.get(route) ?? 0) + 1);
  const routes = [...counts].sort(([, one], [, other]) => other - one);
  const texts = routes
    .slice(0, MAX_ROUTES)
    .map(([route, count]) => toPlainText(route, 120) + (count === 1 ? '' : ` (${formatNumber(count)})`));
  const rest = routes.length - texts.length;
  return (
    <>
      {texts.join(', ')}
      {rest > 0 ? ` and ${countOf(rest, 'more route')}` : ''}
    </>
  );
}
