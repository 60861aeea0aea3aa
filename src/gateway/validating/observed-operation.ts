import type { Json } from '../../json.ts';
import type { Log } from '../../ports.ts';
import { compare, rulesOf } from '../../validation/evidence/compare.ts';
import {
  hasAgreed,
  isAskedAnew,
  type Mode,
  mayRefuse,
  setAsideBy,
} from '../../validation/evidence/enforcement.ts';
import type { OperationName } from '../../validation/evidence/evidence.ts';
import type { Said } from '../../validation/evidence/origin-verdict.ts';
import { count, ruleOf, type Tally } from '../../validation/evidence/stats.ts';
import { shapeOf } from '../../validation/evidence/value-shape.ts';
import type {
  BrokenRule,
  Refused,
  RequestJudge,
  RequestValues,
  Verdict,
} from '../../validation/request/index.ts';

/** One operation at one snapshot, with what has been seen of it at all of them. */
export interface Watched extends OperationName {
  /** `operationId`, for people. */
  readonly id: string;
  readonly mode: Exclude<Mode, 'off'>;
  readonly judge: RequestJudge['judge'];
  readonly tally: Tally;
  fingerprintOf(param: string): string;
}

/** What is said and kept of what was seen. */
export interface Watching {
  /** What the log calls the site. */
  readonly site: string;
  readonly log: Log;
  /** Verdicts in a row that the site has to agree with before an operation is enforced; `undefined` asks for none. */
  readonly afterAgreement: number | undefined;
  /** Bytes of a body that are read at most. */
  readonly bodyLimit: number;
  /** There is more to keep. */
  changed(): void;
}

/** A verdict, and what comes of it. */
export interface Judged {
  /** Told to the caller instead of asking the site; `null` where the request passes. */
  readonly refused: Refused | null;
  /** What the site's answer is compared with. */
  readonly verdict: Verdict;
  readonly values: RequestValues | null;
}

/** A verdict by all rules, with what it was made from: `null` where that could not be read, such as malformed JSON. */
export interface FullVerdict {
  readonly verdict: Verdict;
  readonly values: RequestValues | null;
}

/** Counts a request in and decides what becomes of it. Who refuses it counts that. */
export function decide(
  { fingerprintOf, judge, mode, tally }: Watched,
  { verdict: full, values }: FullVerdict,
  { afterAgreement, changed }: Watching,
): Judged {
  tally.seen += 1;
  changed();
  if (full.kind === 'valid') return { refused: null, verdict: full, values };
  const isSetAside = setAsideBy(tally);
  const fallen = rulesOf(full).filter(({ param, rule }) => isSetAside(param, rule));
  let standing: Verdict = full;
  if (fallen.length > 0) standing = values === null ? { kind: 'valid' } : judge(values, isSetAside);
  if (standing.kind === 'valid') return { refused: null, verdict: full, values };
  tally.wouldRefuse += 1;
  const isEnforced =
    mode === 'enforce' &&
    mayRefuse(tally, rulesOf(standing), afterAgreement) &&
    !isLeftToSite(tally, rulesOf(standing), fingerprintOf);
  return {
    refused: isEnforced ? standing : null,
    // What was set aside is compared too: it may be looked at again.
    verdict: fallen.length === 0 ? full : { ...standing, broken: [...fallen, ...rulesOf(standing)] },
    values,
  };
}

function isLeftToSite(
  tally: Tally,
  broken: readonly BrokenRule[],
  fingerprintOf: Watched['fingerprintOf'],
): boolean {
  let isLeft = false;
  for (const rule of broken) {
    const known = ruleOf(tally, rule, fingerprintOf);
    if (known === undefined) continue;
    known.refused += 1;
    isLeft ||= isAskedAnew(known.refused);
  }
  return isLeft;
}

/** Counts what the site said of a request that it was asked. */
export function learn(
  watched: Watched,
  { verdict, values }: Judged,
  said: Said,
  status: number,
  { afterAgreement, changed, log, site }: Watching,
): void {
  const { fingerprintOf, id, method, mode, route, tally } = watched;
  const isPromoted = (): boolean => afterAgreement !== undefined && hasAgreed(tally, afterAgreement);
  const before = isPromoted();
  const fallen = count(tally, compare(verdict, said), {
    status,
    shapeOf: (param) => (values === null ? 'unread' : shapeOf(given(values, param))),
    fingerprintOf,
  });
  changed();
  const facts = { site, operation: id, method, route };
  for (const { param, rule, examples } of fallen) {
    log.warn(
      { ...facts, param, rule, example: examples.at(-1) },
      'the site took what this rule would refuse: the rule is set aside for this operation',
    );
  }
  if (mode !== 'enforce' || before === isPromoted()) return;
  if (before) log.warn(facts, 'the site disagreed with a verdict: the operation is watched again');
  else log.info({ ...facts, afterAgreement }, 'the site agreed often enough: the operation is enforced');
}

function given({ json, form, query, path }: RequestValues, param: string): Json | undefined {
  return json.get(param) ?? form.get(param) ?? query.get(param) ?? path.get(param);
}
