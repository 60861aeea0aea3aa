import type { PcreNode } from './ast.ts';
import { EMPTY } from './ast.ts';
import { lengthsOf } from './lengths.ts';
import { mapChildren } from './lift.ts';
import { slashesOf } from './slashes.ts';

/** What stands beside a group in its route. */
export interface Surroundings {
  /** `slash`: the group is preceded by a `/`. */
  readonly before: 'slash' | 'other';
  readonly after: 'slash' | 'end' | 'other';
}

/**
 * A group's body, fit to be asked about its value alone. What looks beyond the group (an assertion, a lookaround) is
 * kept where the value's own ends answer it the same, and left out where they don't.
 */
export function isolate(
  node: PcreNode,
  beside: Surroundings,
): { readonly node: PcreNode; readonly exact: boolean } {
  let exact = true;
  const visit = (current: PcreNode): PcreNode => {
    const keeps =
      (current.kind !== 'look' && current.kind !== 'assert') ||
      (current.kind === 'look' ? seesTheSame(current, beside) : asksTheSame(current.at, beside));
    if (!keeps) {
      exact = false;
      return EMPTY;
    }
    return current.kind === 'look' ? current : mapChildren(current, visit);
  };
  return { node: visit(node), exact };
}

/** A lookaround that stops at a slash cannot tell a slash from the end of the value. */
function seesTheSame(look: PcreNode & { kind: 'look' }, beside: Surroundings): boolean {
  const stops = slashesOf(look.body) === 'never' && !holdsAssertion(look.body);
  if (!look.ahead) return stops && (beside.before === 'slash' || lengthsOf(look.body).max === 0);
  return beside.after === 'end' || (stops && beside.after === 'slash');
}

function asksTheSame(at: string, beside: Surroundings): boolean {
  if (at === 'boundary' || at === 'no-boundary') return beside.before === 'slash' && beside.after !== 'other';
  return beside.after === 'end' && (at === 'end' || at === 'last-line-end');
}

function holdsAssertion(node: PcreNode): boolean {
  let found = false;
  const visit = (current: PcreNode): PcreNode => {
    if (current.kind === 'assert' || current.kind === 'look') found = true;
    return mapChildren(current, visit);
  };
  visit(node);
  return found;
}
