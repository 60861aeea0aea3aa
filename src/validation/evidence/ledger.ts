import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { ParameterRule } from '../request/result.ts';
import { listArguments, type OperationArgument } from '../request/validator.ts';
import type { ResolveReference } from '../wordpress/schema.ts';
import { fingerprintDefinition } from './argument-definition.ts';
import { isCoreRule, type OperationKey } from './core-rules.ts';
import { combineAgreements, type RuleAgreement, type VerdictComparison } from './origin-verdict.ts';
import { getSeenError, parseSeenErrors, type SeenErrorStats, type SeenErrors } from './seen-errors.ts';

/*
 * What is known about the rules of one site's arguments is one ledger. From top to bottom: what an entry is about (its key),
 * what it counts, whether its rule is trusted, which rules refuse requests, how a forwarded request is counted, and how the
 * ledger is stored and read.
 */

/**
 * What an entry is about: a rule of one definition of an argument in one namespace. All operations with that definition share
 * the entry.
 */
export interface RuleKey {
  readonly namespace: string;
  /**
   * `core` for an argument of WordPress itself (`core-rules.json`). Plugins often sanitise an argument of a list by themselves,
   * and leave the same argument of a write to WordPress, so the others are counted by what their operation does.
   */
  readonly use: 'core' | 'read' | 'write';
  /** Name of the argument; empty for the request as a whole. */
  readonly param: string;
  /** Hash of the argument's definition ({@link fingerprintDefinition}); empty for the request as a whole. */
  readonly fingerprint: string;
  /** WordPress's error code, `required`, or {@link UNSTATED}. */
  readonly rule: string;
}

const USES = ['core', 'read', 'write'] as const;

/** In place of a rule: the site refused the argument, and no rule of the document was violated. */
export const UNSTATED = '';

export function toKeyText({ fingerprint, namespace, param, rule, use }: RuleKey): string {
  return [namespace, use, fingerprint, rule, param].join(' ');
}

/** The rules of one operation, with their entries in the ledger. */
export class OperationEntries {
  /** Method and the site's own route pattern. It does not depend on names in the document, such as `operationId`. */
  readonly name: string;
  readonly args: ReadonlyMap<string, OperationArgument>;
  readonly #ledger: Ledger;
  readonly #operation: OperationKey;
  readonly #namespace: string;
  readonly #known = new Map<string, LedgerEntry>();

  /** @param resolve resolves a `$ref` of the document */
  constructor(ledger: Ledger, { operation, route }: DeclaredOperation, resolve: ResolveReference) {
    this.args = listArguments(operation, resolve);
    this.#ledger = ledger;
    this.#operation = { method: operation.method, route: route.pattern };
    this.#namespace = route.namespace;
    this.name = toOperationName(this.#operation);
  }

  get({ param, rule }: ParameterRule): LedgerEntry {
    const name = `${rule} ${param}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const argument = this.args.get(param);
    const { method } = this.#operation;
    const use = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    const entry = this.#ledger.getEntry({
      namespace: this.#namespace,
      use: isCoreRule(this.#operation, { param, rule }, argument) ? 'core' : use,
      param,
      fingerprint: fingerprintOf(argument),
      rule,
    });
    entry.operations.add(this.name);
    this.#known.set(name, entry);
    return entry;
  }
}

/** An operation of a document, with its route. */
export interface DeclaredOperation {
  readonly operation: Operation;
  readonly route: Pick<ServedRoute, 'namespace' | 'pattern'>;
}

export function toOperationName({ method, route }: OperationKey): string {
  return `${method} ${route}`;
}

function fingerprintOf(argument: OperationArgument | undefined): string {
  return argument === undefined ? '' : fingerprintDefinition(argument.schema);
}

/** Where evidence comes from: requests of clients, or `waygate calibrate`. */
export type EvidenceSource = 'traffic' | 'calibration';

/** Counts of the requests that violate one rule. None ever decreases, so the counts of several processes can be added. */
export type RuleCounts = Record<
  /** Forwarded requests that violated the rule. */
  | 'broken'
  /** Requests to be refused for it. Some of them were forwarded, as a sample. */
  | 'refused'
  /** Forwarded requests whose argument the site refused too, for whatever reason. */
  | 'agreed'
  /** Forwarded requests that the site refused by this rule. */
  | 'confirmed'
  /** Forwarded requests that the site accepted. */
  | 'disagreed',
  number
>;

const NO_VIOLATIONS: Readonly<RuleCounts> = { broken: 0, refused: 0, agreed: 0, confirmed: 0, disagreed: 0 };

/** Adds the counts of the second to those of the first, or subtracts them. */
export function combineCounts<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  others: Readonly<Record<NoInfer<Name>, number>>,
  sign: 1 | -1,
): Record<Name, number> {
  const combined: Record<Name, number> = { ...counts };
  for (const name in counts) combined[name] += sign * others[name];
  return combined;
}

export interface EvidenceExample {
  /** Shape of the value ({@link describeShape}), never the value itself. */
  readonly value: string;
  readonly status: number;
}

const MAX_EXAMPLES = 3;

/**
 * What is known about a rule:
 * - `core`: the rule belongs to WordPress itself, and was compared with a real WordPress.
 * - `confirmed`: the site has refused a request by this rule.
 * - `suspended`: the site has accepted a request that violates the rule. The rule is ignored.
 * - `unknown`: the site has not been seen to apply the rule. An index does not show how a plugin sanitises its arguments.
 */
export type RuleStatus = 'core' | 'confirmed' | 'suspended' | 'unknown';

/** An operator's decision about a rule. It precedes the evidence. */
export type OperatorDecision = 'confirmed' | 'suspended';

/** One in so many refusals by a rule is forwarded all the same, so that the site's response tells whether the rule still holds. */
export const SAMPLED_REFUSALS = 100;

/** A rule, and all that is known about it. */
export class LedgerEntry {
  readonly key: RuleKey;
  readonly counts: Record<EvidenceSource, RuleCounts> = {
    traffic: { ...NO_VIOLATIONS },
    calibration: { ...NO_VIOLATIONS },
  };
  /** Names of the operations where it was violated. */
  readonly operations: Set<string> = new Set();
  /** Violations that the site has accepted; for {@link UNSTATED}, values that it has refused. */
  readonly examples: EvidenceExample[] = [];
  decision: OperatorDecision | null = null;
  #unsampled = 0;

  constructor(key: RuleKey) {
    this.key = key;
  }

  get total(): RuleCounts {
    return combineCounts(this.counts.traffic, this.counts.calibration, 1);
  }

  /** Whether anything is known that a restart would forget. */
  get isEvident(): boolean {
    const { broken, refused } = this.total;
    return this.decision !== null || broken + refused > 0;
  }

  /** One contradiction suspends a rule, until the document declares another definition or the operator decides. */
  get status(): RuleStatus {
    if (this.decision !== null) return this.decision;
    const { calibration, traffic } = this.counts;
    if (traffic.disagreed + calibration.disagreed > 0) return 'suspended';
    if (this.key.use === 'core') return 'core';
    return traffic.confirmed + calibration.confirmed > 0 ? 'confirmed' : 'unknown';
  }

  /** Counts a refusal. Returns whether it is in the sample, and so forwarded. */
  countRefusal(): boolean {
    this.counts.traffic.refused += 1;
    this.#unsampled += 1;
    if (this.#unsampled < SAMPLED_REFUSALS) return false;
    this.#unsampled = 0;
    return true;
  }

  /**
   * Counts the site's verdict on a request that violates the rule. Only the site's own response is one, so a client can neither
   * confirm nor suspend a rule.
   */
  learn(
    { agreement, isConfirmed }: { readonly agreement: RuleAgreement; readonly isConfirmed: boolean },
    source: EvidenceSource,
    toExample: () => EvidenceExample,
  ): void {
    const counts = this.counts[source];
    counts.broken += 1;
    if (agreement === 'agreed') counts.agreed += 1;
    if (isConfirmed) counts.confirmed += 1;
    if (agreement !== 'disagreed') return;
    counts.disagreed += 1;
    // The gateway must not refuse what the site accepts, whoever has decided so.
    if (this.decision === 'confirmed') this.decision = null;
    this.addExamples([toExample()]);
  }

  /** Adds examples unless there are enough, or equal ones. */
  addExamples(examples: readonly EvidenceExample[]): void {
    for (const { status, value } of examples) {
      const isKnown = this.examples.some((known) => known.value === value && known.status === status);
      if (!isKnown && this.examples.length < MAX_EXAMPLES) this.examples.push({ value, status });
    }
  }
}

/**
 * Whether requests are validated, and which invalid ones are rejected:
 * - `off`: no request is validated.
 * - `observe`: invalid requests are forwarded, and the result is compared with the site's response.
 * - `enforce`: a request is rejected if every rule that it violates is known to hold at the site ({@link RuleStatus}).
 * - `strict`: a request is rejected by every rule of the document that the site has not contradicted.
 */
export type ValidationMode = 'off' | 'observe' | 'enforce' | 'strict';

export function rejectsRequests(mode: ValidationMode): boolean {
  return mode === 'enforce' || mode === 'strict';
}

/**
 * Whether a request that violates these rules is refused. One rule that may not hold at the site is enough to forward it: the
 * response then decides about the rule.
 *
 * @param stats of the operation
 * @param required agreements in a row that enforcement of an operation requires, and then one with each rule, because valid
 *   requests say nothing about a rule that none of them violates; `undefined` requires none
 */
export function isEnforced(
  mode: ValidationMode,
  stats: OperationStats,
  broken: readonly LedgerEntry[],
  required: number | undefined,
): boolean {
  if (!rejectsRequests(mode) || !isReady(stats, required)) return false;
  return broken.every((entry) => {
    const { status } = entry;
    if (required !== undefined && entry.decision !== 'confirmed' && entry.total.agreed === 0) return false;
    return mode === 'strict' ? status !== 'suspended' : status === 'core' || status === 'confirmed';
  });
}

/** Whether the site has agreed with so many validation results of an operation in a row. */
export function isReady({ counts }: OperationStats, required: number | undefined): boolean {
  return required === undefined || counts.streak >= required;
}

/** Counts of the requests to one operation: forwarded ones by the outcome of the comparison, and others. */
export type RequestCounts = Record<
  | VerdictComparison['outcome']
  | 'validated'
  /** Requests that active rules would reject. */
  | 'wouldRefuse'
  /** Requests that the gateway rejected without forwarding. */
  | 'rejected'
  /** Agreements since the last disagreement. */
  | 'streak',
  number
>;

const NO_REQUESTS: Readonly<RequestCounts> = {
  ...{ validated: 0, wouldRefuse: 0, rejected: 0, streak: 0 },
  ...{ accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 },
};

export interface OperationStats {
  readonly counts: RequestCounts;
  /** Errors of the site's responses. */
  readonly errors: SeenErrors;
}

/**
 * Counts a forwarded request at its operation and at each rule that it violates. A request that violates suspended rules only
 * counts as if it were valid.
 *
 * @returns the entries that this request suspends
 */
export function recordComparison(
  { counts }: OperationStats,
  entries: Pick<OperationEntries, 'name' | 'args' | 'get'>,
  { missed, outcome, rules }: VerdictComparison,
  toExample: (param: string) => EvidenceExample,
): readonly LedgerEntry[] {
  const active: RuleAgreement[] = [];
  const suspended: LedgerEntry[] = [];
  for (const { rule, ...verdict } of rules) {
    const entry = entries.get(rule);
    const before = entry.status;
    entry.learn(verdict, 'traffic', () => toExample(rule.param));
    if (before === 'suspended') continue;
    active.push(verdict.agreement);
    if (verdict.agreement === 'disagreed') suspended.push(entry);
  }
  for (const name of missed) {
    // A name that the document does not declare may be a client's.
    const param = entries.args.has(name) ? name : '';
    const entry = entries.get({ param, rule: UNSTATED });
    entry.learn({ agreement: 'agreed', isConfirmed: false }, 'traffic', () => toExample(name));
    entry.addExamples([toExample(name)]);
  }
  const effective = active.length > 0 ? combineAgreements(active) : toOutcomeWithoutRules(outcome);
  counts[effective] += 1;
  if (effective === 'accepted' || effective === 'refused') counts.streak += 1;
  if (effective === 'disagreed') counts.streak = 0;
  return suspended;
}

function toOutcomeWithoutRules(outcome: VerdictComparison['outcome']): VerdictComparison['outcome'] {
  if (outcome === 'disagreed') return 'accepted';
  return outcome === 'refused' ? 'missed' : outcome;
}

/** Counts that are stored, or told to another process. */
export interface LedgerRecords {
  readonly rules: readonly RuleRecord[];
  readonly operations: readonly OperationRecord[];
}

export interface RuleRecord extends RuleKey, Readonly<RuleCounts> {
  readonly operations: readonly string[];
  readonly examples: readonly EvidenceExample[];
  /** `undefined` leaves the decision as it is. */
  readonly decision?: OperatorDecision | null | undefined;
}

export interface OperationRecord extends Readonly<RequestCounts> {
  readonly name: string;
  readonly errors: readonly SeenErrorStats[];
}

/**
 * The ledger of one site. Its size is limited by the site's document: entries and operations are of what the document declares,
 * and codes of rules are WordPress's.
 */
export class Ledger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #operations = new Map<string, OperationStats>();

  get entries(): Iterable<LedgerEntry> {
    return this.#entries.values();
  }

  /** By method and route. */
  get operations(): ReadonlyMap<string, OperationStats> {
    return this.#operations;
  }

  /** Returns an entry, created if necessary. */
  getEntry(key: RuleKey): LedgerEntry {
    const text = toKeyText(key);
    const known = this.#entries.get(text);
    if (known !== undefined) return known;
    const created = new LedgerEntry(key);
    this.#entries.set(text, created);
    return created;
  }

  /** @param key as {@link toKeyText} returns it */
  findEntry(key: string): LedgerEntry | undefined {
    return this.#entries.get(key);
  }

  /** Returns the counts of an operation, created if necessary. */
  getOperation(name: string): OperationStats {
    const known = this.#operations.get(name);
    if (known !== undefined) return known;
    const created = { counts: { ...NO_REQUESTS }, errors: new Map() };
    this.#operations.set(name, created);
    return created;
  }

  /**
   * Drops what a new document invalidates: operations that it no longer declares, and rules of arguments that none of their
   * operations declares as before. What remains keeps its identity.
   *
   * @returns the numbers of dropped operations and rules
   */
  retainDeclared(
    find: (operation: OperationKey) => DeclaredOperation | undefined,
    resolve: ResolveReference,
  ): { readonly operations: number; readonly rules: number } {
    const listed = new Map<string, ReadonlyMap<string, OperationArgument> | undefined>();
    const listArgumentsOf = (name: string): ReadonlyMap<string, OperationArgument> | undefined => {
      if (!listed.has(name)) {
        const declared = find(parseOperationName(name));
        listed.set(name, declared && listArguments(declared.operation, resolve));
      }
      return listed.get(name);
    };
    const [operations, rules] = [this.#operations.size, this.#entries.size];
    for (const name of this.#operations.keys()) {
      if (find(parseOperationName(name)) === undefined) this.#operations.delete(name);
    }
    for (const [text, { key, operations: names }] of this.#entries) {
      for (const name of names) {
        const args = listArgumentsOf(name);
        const argument = args?.get(key.param);
        const isDeclared = args !== undefined && (key.param === '' || argument !== undefined);
        if (!isDeclared || fingerprintOf(argument) !== key.fingerprint) names.delete(name);
      }
      if (names.size === 0) this.#entries.delete(text);
    }
    return { operations: operations - this.#operations.size, rules: rules - this.#entries.size };
  }

  /** Adds stored counts, or those of another process. */
  add({ operations, rules }: LedgerRecords, source: EvidenceSource = 'traffic'): void {
    for (const record of rules) {
      const { decision, examples, fingerprint, namespace, operations: names, param, rule, use } = record;
      const entry = this.getEntry({ namespace, use, param, fingerprint, rule });
      entry.counts[source] = combineCounts(entry.counts[source], record, 1);
      for (const name of names) entry.operations.add(name);
      entry.addExamples(examples);
      if (decision !== undefined) entry.decision = decision;
    }
    for (const record of operations) {
      const { counts, errors } = this.getOperation(record.name);
      const streak = record.disagreed > 0 ? record.streak : counts.streak + record.streak;
      Object.assign(counts, combineCounts(counts, record, 1), { streak });
      for (const { count, ...error } of record.errors) {
        const known = getSeenError(errors, error);
        if (known !== undefined) known.count += count;
      }
    }
  }

  toRecords(source: EvidenceSource): LedgerRecords {
    if (source === 'calibration') {
      const probed = [...this.#entries.values()].filter(({ counts }) => counts.calibration.broken > 0);
      const rules = probed.map((entry) => toRuleRecord(entry, entry.counts.calibration, undefined));
      return { rules, operations: [] };
    }
    const seen = [...this.#entries.values()].filter(
      ({ counts: { traffic }, decision }) => traffic.broken + traffic.refused > 0 || decision !== null,
    );
    const requested = [...this.#operations].filter(([, { counts }]) => counts.validated > 0);
    return {
      rules: seen.map((entry) => toRuleRecord(entry, entry.counts.traffic, entry.decision)),
      operations: requested.map(([name, { counts, errors }]) => {
        return { name, ...counts, errors: [...errors.values()] };
      }),
    };
  }

  /**
   * Adds stored counts of a source; of a calibration in place of an earlier one.
   *
   * @returns false if they are malformed, in which case nothing is added
   */
  restore({ operations, rules }: JsonObject, source: EvidenceSource): boolean {
    if (!Array.isArray(rules) || !Array.isArray(operations)) return false;
    if (source === 'calibration') {
      for (const { counts } of this.#entries.values()) counts.calibration = { ...NO_VIOLATIONS };
    }
    this.add({ rules: rules.flatMap(parseRule), operations: operations.flatMap(parseOperation) }, source);
    return true;
  }
}

export function toRuleRecord(
  { examples, key, operations }: LedgerEntry,
  counts: RuleCounts,
  decision: OperatorDecision | null | undefined,
): RuleRecord {
  return { ...key, ...counts, operations: [...operations], examples: [...examples], decision };
}

export function parseOperationName(name: string): OperationKey {
  const end = name.indexOf(' ');
  return { method: name.slice(0, end), route: name.slice(end + 1) };
}

function parseRule(stored: Json): readonly RuleRecord[] {
  if (!isJsonObject(stored)) return [];
  const { decision, examples, fingerprint, namespace, operations, param, rule } = stored;
  const use = USES.find((each) => each === stored['use']);
  if (use === undefined || typeof namespace !== 'string' || typeof param !== 'string') return [];
  if (typeof fingerprint !== 'string' || typeof rule !== 'string') return [];
  return [
    {
      ...{ namespace, use, param, fingerprint, rule },
      ...parseCounts(NO_VIOLATIONS, stored),
      operations: jsonItems(operations).filter((name) => typeof name === 'string'),
      examples: jsonItems(examples).flatMap((example) => {
        const { status, value } = isJsonObject(example) ? example : {};
        return typeof status === 'number' && typeof value === 'string' ? [{ value, status }] : [];
      }),
      decision: decision === 'confirmed' || decision === 'suspended' ? decision : undefined,
    },
  ];
}

function parseOperation(stored: Json): readonly OperationRecord[] {
  if (!isJsonObject(stored) || typeof stored['name'] !== 'string') return [];
  const { errors, name } = stored;
  return [{ name, ...parseCounts(NO_REQUESTS, stored), errors: parseSeenErrors(errors) }];
}

/** A malformed number counts as 0. */
function parseCounts<Name extends string>(
  zero: Readonly<Record<Name, number>>,
  stored: JsonObject,
): Record<Name, number> {
  const counts: Record<Name, number> = { ...zero };
  for (const name in zero) {
    const count = stored[name];
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) counts[name] = count;
  }
  return counts;
}
