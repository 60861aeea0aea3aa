import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { ParameterRule } from '../request/result.ts';
import { listArguments, type OperationArgument } from '../request/validator.ts';
import type { ResolveReference } from '../wordpress/schema.ts';
import { fingerprintDefinition } from './argument-definition.ts';
import { isCoreRule } from './core-rules.ts';
import {
  type Evidence,
  type FingerprintLookup,
  isSuspended,
  type OperationStats,
  type RuleStats,
  toRuleKey,
} from './evidence.ts';

/**
 * What is known about a rule at an operation:
 * - `core`: the rule belongs to WordPress itself, and was compared with a real WordPress.
 * - `confirmed`: the site has refused a request by this rule.
 * - `suspended`: the site has accepted a request that violates the rule. The rule is ignored.
 * - `unknown`: the site has not been seen to apply the rule. An index does not show how a plugin sanitises its arguments.
 */
export type RuleStatus = 'core' | 'confirmed' | 'suspended' | 'unknown';

/** The arguments that share evidence about their rules: those of one namespace with the same name and definition. */
export interface SharedDefinition {
  readonly namespace: string;
  /** Hash of the definition ({@link fingerprintDefinition}); empty for rules of the request as a whole. */
  readonly fingerprint: string;
  /** Plugins often sanitise an argument of a list by themselves, and leave the same argument of a write to WordPress. */
  readonly use: 'read' | 'write';
}

/** The stats of a rule at one operation, with the definition that shares them. */
export type SharedRuleStats = readonly [definition: SharedDefinition, stats: RuleStats];

/** The status of a rule by evidence alone. */
type LearnedStatus = Exclude<RuleStatus, 'core'>;

interface SharedRule {
  readonly confirmedUses: Set<SharedDefinition['use']>;
  isContradicted: boolean;
  /** The stats of all operations that have evidence about the rule. */
  readonly operations: Set<RuleStats>;
}

/**
 * The evidence about the rules of one site, shared by all arguments of a namespace with the same definition. A confirmation
 * at one operation counts for all that read, or for all that write. One contradiction suspends the rule for all of them;
 * after it, each operation needs a confirmation of its own.
 */
export class RuleKnowledge {
  readonly #byKey = new Map<string, SharedRule>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  /** Adopts the stats of a rule at one operation after each comparison that has changed them. */
  learn(definition: SharedDefinition, stats: RuleStats): void {
    const shared = this.#getShared(toSharedKey(definition, stats));
    shared.operations.add(stats);
    if (isSuspended(stats) && !shared.isContradicted) {
      shared.isContradicted = true;
      this.#version += 1;
      for (const each of shared.operations) each.confirmed = 0;
    }
    if (stats.confirmed === 0) return;
    if (shared.isContradicted || !shared.confirmedUses.has(definition.use)) this.#version += 1;
    shared.confirmedUses.add(definition.use);
  }

  /** @param own stats of the rule at the operation itself, from traffic and from a calibration */
  getStatus(definition: SharedDefinition, rule: ParameterRule, own: readonly RuleStats[]): LearnedStatus {
    if (own.some(isSuspended)) return 'suspended';
    const shared = this.#byKey.get(toSharedKey(definition, rule));
    if (shared === undefined) return 'unknown';
    if (shared.isContradicted) return own.some(({ confirmed }) => confirmed > 0) ? 'confirmed' : 'suspended';
    return shared.confirmedUses.has(definition.use) ? 'confirmed' : 'unknown';
  }

  /**
   * Replaces everything known by the stats of all operations, when a document or stored evidence is loaded.
   *
   * @param calibrated stats of a calibration. They confirm nothing that traffic has contradicted, unless the calibration
   * has evidence of a contradiction too, and so has probed each operation by itself.
   */
  restore(rules: Iterable<SharedRuleStats>, calibrated: Iterable<SharedRuleStats> = []): void {
    this.#byKey.clear();
    this.#version += 1;
    for (const each of rules) this.#restoreRule(each);
    const probed = [...calibrated];
    const contradicted = new Set(
      probed.filter(([, stats]) => isSuspended(stats)).map((each) => toSharedKey(...each)),
    );
    for (const each of probed) {
      const key = toSharedKey(...each);
      // The contradiction may be younger than the calibration.
      if (this.#byKey.get(key)?.isContradicted && !contradicted.has(key)) each[1].confirmed = 0;
    }
    for (const each of probed) this.#restoreRule(each);
  }

  #restoreRule([definition, stats]: SharedRuleStats): void {
    const shared = this.#getShared(toSharedKey(definition, stats));
    shared.operations.add(stats);
    // Stored confirmations are younger than the contradiction, so they remain.
    shared.isContradicted ||= isSuspended(stats);
    if (stats.confirmed > 0) shared.confirmedUses.add(definition.use);
  }

  #getShared(key: string): SharedRule {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const created: SharedRule = { confirmedUses: new Set(), isContradicted: false, operations: new Set() };
    this.#byKey.set(key, created);
    return created;
  }
}

export function getUse(method: string): SharedDefinition['use'] {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

function toSharedKey({ namespace, fingerprint }: SharedDefinition, rule: ParameterRule): string {
  return `${namespace}\n${fingerprint}\n${toRuleKey(rule)}`;
}

/** Looks up what is known about the rules of one operation. A status is computed once for each version of the knowledge. */
export class RuleStatusLookup {
  readonly #operation: Operation;
  readonly #route: Pick<ServedRoute, 'namespace' | 'pattern'>;
  readonly #knowledge: RuleKnowledge;
  readonly #stats: readonly OperationStats[];
  readonly #resolve: ResolveReference;
  readonly #definitions = new Map<string, SharedDefinition>();
  readonly #statuses = new Map<string, RuleStatus>();
  #listed: ReadonlyMap<string, OperationArgument> | undefined;
  #version = -1;

  /**
   * @param stats stats of the operation, from traffic and from a calibration
   * @param resolve resolves a `$ref` of the document
   */
  constructor(
    operation: Operation,
    route: Pick<ServedRoute, 'namespace' | 'pattern'>,
    knowledge: RuleKnowledge,
    stats: readonly OperationStats[],
    resolve: ResolveReference,
  ) {
    this.#operation = operation;
    this.#route = route;
    this.#knowledge = knowledge;
    this.#stats = stats;
    this.#resolve = resolve;
  }

  /** Returns the definition whose evidence an argument shares. */
  getDefinition(param: string): SharedDefinition {
    const known = this.#definitions.get(param);
    if (known !== undefined) return known;
    const fingerprint = computeFingerprint(this.#arguments, param) ?? '';
    const { namespace } = this.#route;
    const created = { namespace, fingerprint, use: getUse(this.#operation.method) };
    this.#definitions.set(param, created);
    return created;
  }

  /** The names of the operation's arguments. */
  listNames(): Iterable<string> {
    return this.#arguments.keys();
  }

  get #arguments(): ReadonlyMap<string, OperationArgument> {
    this.#listed ??= listArguments(this.#operation, this.#resolve);
    return this.#listed;
  }

  /** Whether the rule belongs to WordPress itself, and the site has not refused a request by it yet. */
  isUntested(rule: ParameterRule): boolean {
    if (this.getStatus(rule) !== 'core') return false;
    const own = this.#listOwnStats(rule);
    return this.#knowledge.getStatus(this.getDefinition(rule.param), rule, own) !== 'confirmed';
  }

  #listOwnStats(rule: ParameterRule): readonly RuleStats[] {
    const key = toRuleKey(rule);
    return this.#stats.flatMap(({ rules }) => rules.get(key) ?? []);
  }

  getStatus(rule: ParameterRule): RuleStatus {
    if (this.#version !== this.#knowledge.version) {
      this.#version = this.#knowledge.version;
      this.#statuses.clear();
    }
    const key = toRuleKey(rule);
    const own = this.#listOwnStats(rule);
    const decided = own.find(({ decision }) => decision !== undefined)?.decision;
    if (decided !== undefined) return decided;
    const known = this.#statuses.get(key);
    if (known !== undefined) return known;
    const status = this.#computeStatus(rule, own);
    this.#statuses.set(key, status);
    return status;
  }

  #computeStatus(rule: ParameterRule, own: readonly RuleStats[]): RuleStatus {
    const learned = this.#knowledge.getStatus(this.getDefinition(rule.param), rule, own);
    if (learned === 'suspended') return learned;
    const key = { method: this.#operation.method, route: this.#route.pattern };
    return isCoreRule(key, rule, this.#arguments.get(rule.param)) ? 'core' : learned;
  }
}

/** Lists the evidence of all operations with the definitions that share it, for {@link RuleKnowledge.restore}. */
export function* listSharedRules(
  evidence: Evidence,
  findNamespace: (pattern: string) => string | undefined,
): Generator<SharedRuleStats> {
  for (const [{ method, route }, { rules }] of evidence.entries()) {
    const namespace = findNamespace(route);
    if (namespace === undefined) continue;
    const use = getUse(method);
    for (const rule of rules.values()) yield [{ namespace, fingerprint: rule.fingerprint, use }, rule];
  }
}

/** Creates the lookup of fingerprints for the routes of a document. */
export function createFingerprintLookup(
  findOperation: (method: string, pattern: string) => Operation | undefined,
  resolve: ResolveReference,
): FingerprintLookup {
  return ({ method, route }) => {
    const operation = findOperation(method, route);
    if (operation === undefined) return undefined;
    const args = listArguments(operation, resolve);
    return (param) => computeFingerprint(args, param);
  };
}

/** @returns `undefined` for an undeclared parameter; the empty string for the empty name, which is the request as a whole */
function computeFingerprint(args: ReadonlyMap<string, OperationArgument>, param: string): string | undefined {
  if (param === '') return '';
  const definition = args.get(param);
  return definition === undefined ? undefined : fingerprintDefinition(definition.schema);
}
