import type { BrokenRule, SetAside } from '../request/result.ts';
import { isWrong, ruleKey, type Tally } from './stats.ts';

/** Whether requests are judged, and what becomes of those that are found wrong. */
export type Mode = 'off' | 'observe' | 'enforce';

export const MODES: readonly Mode[] = ['off', 'observe', 'enforce'];

/** Agreements that a report asks for where nobody has said how many. */
export const USUAL_AGREEMENT = 100;

/** A rule that the site was seen to break does not count for this operation. */
export function setAsideBy({ rules }: Tally): SetAside {
  return (param, rule) => {
    const known = rules.get(ruleKey({ param, rule }));
    return known !== undefined && isWrong(known);
  };
}

/** Whether the site has agreed with so many verdicts in a row on this operation. */
export function hasAgreed({ streak }: Tally, often: number): boolean {
  return streak >= often;
}

/**
 * Whether a request is left to the site although a rule refuses it: of a rule's refusals the fiftieth, and each five
 * hundredth. A rule that refuses learns nothing, and a site may have changed its mind, or never have been of this one.
 *
 * @param refusals how many there were of the rule, with this one
 */
export function isAskedAnew(refusals: number): boolean {
  return refusals === 50 || (refusals > 0 && refusals % 500 === 0);
}

/**
 * Whether an operation that is promoted by agreement refuses a request that broke these rules. A hundred good requests
 * say nothing of a rule that none of them broke, so each rule is first held against the site: until it has agreed once,
 * the request passes, and its answer is the evidence.
 *
 * @param often verdicts in a row that the site has to agree with; `undefined` asks for no agreement at all
 */
export function mayRefuse(tally: Tally, broken: readonly BrokenRule[], often: number | undefined): boolean {
  if (often === undefined) return true;
  if (!hasAgreed(tally, often)) return false;
  return broken.every((rule) => (tally.rules.get(ruleKey(rule))?.agreed ?? 0) > 0);
}
