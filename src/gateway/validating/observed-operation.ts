import type { Json } from '../../json.ts';
import type { Log } from '../../ports.ts';
import { compareWithOrigin, getBrokenRules } from '../../validation/evidence/compare.ts';
import {
  canEnforce,
  createSuspensionTest,
  hasAgreement,
  isRetestDue,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import type { OperationKey } from '../../validation/evidence/evidence.ts';
import type { OriginVerdict } from '../../validation/evidence/origin-verdict.ts';
import { getRuleStats, type OperationStats, recordComparison } from '../../validation/evidence/stats.ts';
import { describeShape } from '../../validation/evidence/value-shape.ts';
import type {
  InvalidRequest,
  ParameterRule,
  RequestParameters,
  RequestValidator,
  ValidationResult,
} from '../../validation/request/index.ts';

/** One operation at one snapshot, with what has been seen of it at all of them. */
export interface ObservedOperation extends OperationKey {
  /** `operationId`, for people. */
  readonly id: string;
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly validate: RequestValidator['validate'];
  readonly stats: OperationStats;
  fingerprintOf(param: string): string;
}

/** What is said and kept of what was seen. */
export interface ObservationContext {
  /** What the log calls the site. */
  readonly site: string;
  readonly log: Log;
  /** Verdicts in a row that the site has to agree with before an operation is enforced; `undefined` asks for none. */
  readonly afterAgreement: number | undefined;
  /** Bytes of a body that are read at most. */
  readonly bodyLimit: number;
  /** There is more to keep. */
  markChanged(): void;
}

/** A verdict, and what comes of it. */
export interface RequestDecision {
  /** Told to the caller instead of asking the site; `null` where the request passes. */
  readonly rejection: InvalidRequest | null;
  /** What the site's answer is compared with. */
  readonly result: ValidationResult;
  readonly parameters: RequestParameters | null;
}

/** A verdict by all rules, with what it was made from: `null` where that could not be read, such as malformed JSON. */
export interface FullValidation {
  readonly result: ValidationResult;
  readonly parameters: RequestParameters | null;
}

/** Counts a request in and decides what becomes of it. Who refuses it counts that. */
export function decideRequest(
  { fingerprintOf, validate, mode, stats }: ObservedOperation,
  { result: full, parameters }: FullValidation,
  { afterAgreement, markChanged }: ObservationContext,
): RequestDecision {
  stats.validated += 1;
  markChanged();
  if (full.kind === 'valid') return { rejection: null, result: full, parameters };
  const isSuspended = createSuspensionTest(stats);
  const fallen = getBrokenRules(full).filter(({ param, rule }) => isSuspended(param, rule));
  let active: ValidationResult = full;
  if (fallen.length > 0) active = parameters === null ? { kind: 'valid' } : validate(parameters, isSuspended);
  if (active.kind === 'valid') return { rejection: null, result: full, parameters };
  stats.wouldRefuse += 1;
  const isEnforced =
    mode === 'enforce' &&
    canEnforce(stats, getBrokenRules(active), afterAgreement) &&
    !isRetestOfAnyDue(stats, getBrokenRules(active), fingerprintOf);
  return {
    rejection: isEnforced ? active : null,
    // What was set aside is compared too: it may be looked at again.
    result: fallen.length === 0 ? full : { ...active, brokenRules: [...fallen, ...getBrokenRules(active)] },
    parameters,
  };
}

function isRetestOfAnyDue(
  stats: OperationStats,
  broken: readonly ParameterRule[],
  fingerprintOf: ObservedOperation['fingerprintOf'],
): boolean {
  let isLeft = false;
  for (const rule of broken) {
    const known = getRuleStats(stats, rule, fingerprintOf);
    if (known === undefined) continue;
    known.refused += 1;
    isLeft ||= isRetestDue(known.refused);
  }
  return isLeft;
}

/** Counts what the site said of a request that it was asked. */
export function recordOriginVerdict(
  operation: ObservedOperation,
  { result, parameters }: RequestDecision,
  verdict: OriginVerdict,
  status: number,
  { afterAgreement, markChanged, log, site }: ObservationContext,
): void {
  const { fingerprintOf, id, method, mode, route, stats } = operation;
  const isPromoted = (): boolean => afterAgreement !== undefined && hasAgreement(stats, afterAgreement);
  const before = isPromoted();
  const fallen = recordComparison(stats, compareWithOrigin(result, verdict), {
    status,
    shapeOf: (param) => (parameters === null ? 'unread' : describeShape(findValue(parameters, param))),
    fingerprintOf,
  });
  markChanged();
  const logFields = { site, operation: id, method, route };
  for (const { param, rule, examples } of fallen) {
    log.warn(
      { ...logFields, param, rule, example: examples.at(-1) },
      'the site took what this rule would refuse: the rule is set aside for this operation',
    );
  }
  if (mode !== 'enforce' || before === isPromoted()) return;
  if (before) log.warn(logFields, 'the site disagreed with a verdict: the operation is watched again');
  else log.info({ ...logFields, afterAgreement }, 'the site agreed often enough: the operation is enforced');
}

function findValue({ json, form, query, path }: RequestParameters, param: string): Json | undefined {
  return json.get(param) ?? form.get(param) ?? query.get(param) ?? path.get(param);
}
