import { isJsonObject, type Json, type JsonObject, matchesExample } from '../../json.ts';
import { getOrCreate } from '../../memoize.ts';
import type { Operation, ServedRoute } from '../../openapi/index.ts';
import type { ParameterRule } from '../request/result.ts';
import { listArguments, type OperationArgument } from '../request/validator.ts';
import type { ResolveReference } from '../wordpress/schema.ts';
import { describeDefinition, fingerprintDefinition } from './argument-definition.ts';
import { isCoreRule, type OperationKey } from './core-rules.ts';
import {
  type OriginVerdict,
  type Outcome,
  type RuleAgreement,
  toOutcome,
  type VerdictComparison,
} from './origin-verdict.ts';

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

/** Counts of the requests that violate one rule. None ever decreases. */
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

function addCounts<Name extends string>(
  counts: Record<Name, number>,
  others: Readonly<Record<NoInfer<Name>, number>>,
): Record<Name, number> {
  for (const name in counts) counts[name] += others[name];
  return counts;
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
  readonly counts: RuleCounts = { ...NO_VIOLATIONS };
  /** Names of the operations where it was violated. */
  readonly operations: Set<string> = new Set();
  /** Violations that the site has accepted; for {@link UNSTATED}, values that it has refused. */
  readonly examples: EvidenceExample[] = [];
  decision: OperatorDecision | null = null;
  /** Whether the site parses the argument without a check ({@link PARSED_LISTS}). */
  isParsed = false;
  #unsampled = 0;

  constructor(key: RuleKey) {
    this.key = key;
  }

  /** Whether anything is known that a restart would forget. */
  get isEvident(): boolean {
    return this.decision !== null || hasCounts(this.counts);
  }

  /** One contradiction suspends a rule, until the document declares another definition or the operator decides. */
  get status(): RuleStatus {
    if (this.decision !== null) return this.decision;
    if (this.counts.disagreed > 0) return 'suspended';
    if (this.key.use === 'core') return 'core';
    return this.counts.confirmed > 0 ? 'confirmed' : 'unknown';
  }

  /** Counts a refusal. Returns whether it is in the sample, and so forwarded. */
  countRefusal(): boolean {
    this.counts.refused += 1;
    this.#unsampled += 1;
    if (this.#unsampled < SAMPLED_REFUSALS) return false;
    this.#unsampled = 0;
    return true;
  }

  /**
   * Counts the site's verdict on a request that violates the rule. Only the site's own response is one, so a client can neither
   * confirm nor suspend a rule.
   */
  learn(agreement: RuleAgreement, toExample: () => EvidenceExample): void {
    const { counts } = this;
    counts.broken += 1;
    if (agreement !== 'undecided') counts[agreement] += 1;
    if (agreement === 'confirmed') counts.agreed += 1;
    if (agreement !== 'disagreed') return;
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
 * - `strict`: a request is rejected by every rule of the document that the site has not contradicted, except those of
 *   {@link PARSED_LISTS}.
 */
export type ValidationMode = 'off' | 'observe' | 'enforce' | 'strict';

export function rejectsRequests(mode: ValidationMode): boolean {
  return mode === 'enforce' || mode === 'strict';
}

/**
 * Namespaces whose lists of ids `wp_parse_id_list()` reads, so that `include=a` is accepted: those of WooCommerce
 * (`WC_REST_CRUD_Controller::get_collection_params()`).
 */
const PARSED_LISTS = /^wc\/v\d array<integer>/;

/** Whether the site is known to apply a rule with this status. */
export function isKnown(status: RuleStatus): boolean {
  return status === 'core' || status === 'confirmed';
}

/**
 * Whether a request that violates these rules is refused. One rule that may not hold at the site is enough to forward it: the
 * response then decides about the rule.
 */
export function isEnforced(mode: ValidationMode, broken: readonly LedgerEntry[]): boolean {
  if (!rejectsRequests(mode)) return false;
  return broken.every(({ isParsed, status }) =>
    mode === 'strict' && !isParsed ? status !== 'suspended' : isKnown(status),
  );
}

/** Counts of the requests to one operation: forwarded ones by the outcome of the comparison, and others. */
export type RequestCounts = Record<
  | Outcome
  | 'validated'
  /** Requests that active rules would reject. */
  | 'wouldRefuse'
  /** Requests that the gateway rejected without forwarding. */
  | 'rejected',
  number
>;

const NO_REQUESTS: Readonly<RequestCounts> = {
  ...{ validated: 0, wouldRefuse: 0, rejected: 0 },
  ...{ accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 },
};

export interface OperationStats {
  readonly counts: RequestCounts;
}

/** The rules of one operation, with their entries in the ledger and the counts of its requests. */
export class OperationEntries {
  /** Method and the site's own route pattern. It does not depend on names in the document, such as `operationId`. */
  readonly name: string;
  readonly args: ReadonlyMap<string, OperationArgument>;
  readonly stats: OperationStats;
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
    this.stats = ledger.getOperation(this.name);
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
    entry.isParsed =
      use === 'read' && PARSED_LISTS.test(`${this.#namespace} ${describeDefinition(argument?.schema)}`);
    this.#known.set(name, entry);
    return entry;
  }

  /**
   * Counts a forwarded request at the operation and at each rule that it violates. A request that violates suspended rules only
   * counts as if it were valid.
   *
   * @returns the entries that this request suspends
   */
  count(
    { missed, rules }: VerdictComparison,
    verdict: OriginVerdict,
    toExample: (param: string) => EvidenceExample,
  ): readonly LedgerEntry[] {
    const active: RuleAgreement[] = [];
    const suspended: LedgerEntry[] = [];
    for (const { agreement, rule } of rules) {
      const entry = this.get(rule);
      const wasSuspended = entry.status === 'suspended';
      entry.learn(agreement, () => toExample(rule.param));
      if (wasSuspended) continue;
      active.push(agreement);
      if (agreement === 'disagreed') suspended.push(entry);
    }
    for (const name of missed) {
      // A name that the document does not declare may be a client's.
      const entry = this.get({ param: this.args.has(name) ? name : '', rule: UNSTATED });
      entry.learn('agreed', () => toExample(name));
      entry.addExamples([toExample(name)]);
    }
    this.stats.counts[toOutcome(verdict, active)] += 1;
    return suspended;
  }
}

/** Counts that are stored. */
export interface LedgerRecords {
  readonly rules: readonly RuleRecord[];
  readonly operations: readonly OperationRecord[];
}

interface RuleRecord extends RuleKey, Readonly<RuleCounts> {
  readonly operations: readonly string[];
  readonly examples: readonly EvidenceExample[];
  /** `undefined` leaves the decision as it is. */
  readonly decision?: OperatorDecision | null | undefined;
}

interface OperationRecord extends Readonly<RequestCounts> {
  readonly name: string;
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

  getEntry(key: RuleKey): LedgerEntry {
    return getOrCreate(this.#entries, toKeyText(key), () => new LedgerEntry(key));
  }

  /** @param key as {@link toKeyText} returns it */
  findEntry(key: string): LedgerEntry | undefined {
    return this.#entries.get(key);
  }

  getOperation(name: string): OperationStats {
    return getOrCreate(this.#operations, name, () => ({ counts: { ...NO_REQUESTS } }));
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

  #add({ operations, rules }: LedgerRecords): void {
    for (const record of rules) {
      const { decision, examples, fingerprint, namespace, operations: names, param, rule, use } = record;
      const entry = this.getEntry({ namespace, use, param, fingerprint, rule });
      addCounts(entry.counts, record);
      for (const name of names) entry.operations.add(name);
      entry.addExamples(examples);
      if (decision !== undefined) entry.decision = decision;
    }
    for (const record of operations) {
      addCounts(this.getOperation(record.name).counts, record);
    }
  }

  /** What is stored. */
  toRecords(): LedgerRecords {
    const rules = [...this.#entries.values()].filter((entry) => entry.isEvident);
    const operations = [...this.#operations].filter(([, { counts }]) => counts.validated > 0);
    return {
      rules: rules.map((entry) => toRuleRecord(entry, entry.counts, entry.decision)),
      operations: operations.map(([name, { counts }]) => ({ name, ...counts })),
    };
  }

  /**
   * Adds stored counts.
   *
   * @returns false if they are malformed, in which case nothing is added
   */
  restore({ operations, rules }: JsonObject): boolean {
    if (!Array.isArray(rules) || !Array.isArray(operations)) return false;
    this.#add({ rules: rules.flatMap(parseRule), operations: operations.flatMap(parseOperation) });
    return true;
  }
}

function hasCounts({ broken, refused }: RuleCounts): boolean {
  return broken + refused > 0;
}

function toRuleRecord(
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

/** Members of a stored entry; it may have a decision too. */
const RULE_EXAMPLE = {
  ...{ namespace: '', use: '', param: '', fingerprint: '', rule: '', ...NO_VIOLATIONS },
  operations: [''],
  examples: [{ value: '', status: 0 }],
};

function parseRule(stored: Json): readonly RuleRecord[] {
  const decision = isJsonObject(stored) ? stored['decision'] : undefined;
  if (!matchesExample(stored, RULE_EXAMPLE)) return [];
  const use = USES.find((each) => each === stored.use);
  const isDecided = decision === 'confirmed' || decision === 'suspended';
  return use === undefined ? [] : [{ ...stored, use, decision: isDecided ? decision : undefined }];
}

function parseOperation(stored: Json): readonly OperationRecord[] {
  return matchesExample(stored, { name: '', ...NO_REQUESTS }) ? [stored] : [];
}
