import type { ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { StoredState } from '../../state.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import { createEvidence, type Evidence, type OperationKey } from '../../validation/evidence/evidence.ts';
import { getRuleStats } from '../../validation/evidence/operation-stats.ts';
import type { RuleKnowledge, SharedRuleStats } from '../../validation/evidence/rule-knowledge.ts';
import { type OperatorDecision, toRuleKey } from '../../validation/evidence/rule-stats.ts';
import { createRuleStatusLookup, listSharedRules } from '../../validation/evidence/rule-status.ts';
import type { createModeResolver } from '../../validation/mode-resolver.ts';
import type { ParameterRule } from '../../validation/request/index.ts';
import type { DocumentRequestValidators } from '../snapshot/document-request-validators.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ObservedOperation } from './observed-operation.ts';

/** The observed operations of one site at its current snapshot. */
export interface ObservedOperations {
  /** Evidence of the last calibration; empty if there is none. */
  readonly calibrated: Evidence;
  /** Switches to a snapshot. Drops the evidence of operations and parameters that its document no longer declares. */
  useSnapshot(snapshot: Snapshot): void;
  /** Uses the evidence of a calibration in place of an earlier one, from the next request on. */
  useCalibration(calibrated: Evidence): void;
  /**
   * Returns the operation that a request matches; `null` when its requests are not validated: the mode is `off`, another
   * route may run instead, or the stored evidence has not been loaded.
   */
  get(snapshot: Snapshot, match: OperationMatch): ObservedOperation | null;
  /**
   * Sets or withdraws the operator's decision about a rule that has evidence.
   *
   * @returns false if there is no such rule
   */
  decide(operation: OperationKey, rule: ParameterRule, decision: OperatorDecision | null): boolean;
}

export interface ObservedOperationsOptions {
  readonly evidence: Evidence;
  readonly knowledge: RuleKnowledge;
  readonly storedEvidence: StoredState;
  readonly resolveMode: ReturnType<typeof createModeResolver>;
  /** Name of the site in the log. */
  readonly siteName: string;
  readonly log: Log;
}

export function createObservedOperations({
  evidence,
  knowledge,
  log,
  resolveMode,
  storedEvidence,
  siteName,
}: ObservedOperationsOptions): ObservedOperations {
  let adopted: Snapshot | null = null;
  let calibrated = createEvidence();
  let byOperation = new WeakMap<ServedOperation, ObservedOperation | null>();

  return {
    get calibrated() {
      return calibrated;
    },
    useSnapshot(snapshot) {
      if (snapshot === adopted) return;
      adopted = snapshot;
      byOperation = new WeakMap();
      const { requestValidators } = snapshot;
      if (requestValidators === null) return;
      const dropped = evidence.retainDeclared(requestValidators.lookUpFingerprints);
      calibrated.retainDeclared(requestValidators.lookUpFingerprints);
      const listRules = (source: Evidence): Iterable<SharedRuleStats> =>
        listSharedRules(source, requestValidators.findNamespace);
      knowledge.restore(listRules(evidence), listRules(calibrated));
      if (dropped.operations + dropped.rules === 0) return;
      log.info(
        { site: siteName, ...dropped },
        'evidence was dropped, because the document no longer declares its parameters',
      );
      storedEvidence.markChanged();
    },
    useCalibration(evidenceOfCalibration) {
      calibrated = evidenceOfCalibration;
      adopted = null;
    },
    decide(operation, rule, decision) {
      const ruleKey = toRuleKey(rule);
      const evident =
        evidence.findStats(operation)?.rules.get(ruleKey) ??
        calibrated.findStats(operation)?.rules.get(ruleKey);
      if (evident === undefined) return false;
      // A calibration is only read, so the decision belongs to the evidence of the requests.
      const own = getRuleStats(evidence.getStats(operation), rule, () => evident.fingerprint);
      if (own === undefined) return false;
      own.decision = decision ?? undefined;
      storedEvidence.markChanged();
      return true;
    },
    get({ requestValidators }, match) {
      if (!storedEvidence.isLoaded) return null;
      if (match.kind !== 'found' || !match.isCertain || requestValidators === null) return null;
      const { operation, route } = match;
      const known = byOperation.get(operation);
      if (known !== undefined) return known;
      const mode = resolveMode(route, operation.method);
      const created =
        mode === 'off'
          ? null
          : createObservedOperation(match, {
              mode,
              evidence,
              calibrated,
              knowledge,
              validators: requestValidators,
            });
      byOperation.set(operation, created);
      return created;
    },
  };
}

interface ObservedOperationOptions {
  readonly mode: Exclude<ValidationMode, 'off'>;
  readonly knowledge: RuleKnowledge;
  readonly evidence: Evidence;
  readonly calibrated: Evidence;
  readonly validators: DocumentRequestValidators;
}

function createObservedOperation(
  { operation, route }: { readonly operation: ServedOperation; readonly route: ServedRoute },
  { calibrated, evidence, knowledge, mode, validators }: ObservedOperationOptions,
): ObservedOperation {
  const key = { method: operation.method, route: route.pattern };
  const stats = evidence.getStats(key);
  const { getDefinition, getStatus } = createRuleStatusLookup(operation, route, {
    knowledge,
    stats: [stats, calibrated.getStats(key)],
    resolve: validators.resolveReference,
  });
  return {
    ...key,
    operationId: operation.id,
    mode,
    validate: (parameters, isSuspended) => validators.get(operation).validate(parameters, isSuspended),
    stats,
    getFingerprint: (param) => getDefinition(param).fingerprint,
    getStatus,
    shareEvidence: (rule) => knowledge.learn(getDefinition(rule.param), rule),
  };
}
