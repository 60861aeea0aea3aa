import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../json.ts';
import { HAL_MEMBERS, redactName } from './applicators.ts';
import {
  classifyTypeMismatch,
  FINDING_SEVERITIES,
  type JsonType,
  jsonTypeOf,
  type ResponseFinding,
  type ResponseFindingKind,
} from './finding.ts';
import {
  type ResponseWalk,
  type SchemaAttempt,
  type SchemaCheck,
  type SchemaNode,
  ValidationBudgetError,
} from './schema-node.ts';

/** Limits of the validation of one response. */
export interface WalkLimits {
  /** Maximum number of steps; a schema, a member and a keyword each take one. */
  readonly maxSteps: number;
  /** Maximum depth of nested schemas, both of child values and in place. */
  readonly maxDepth: number;
}

/** A list of ten posts takes 1,000 steps. As many steps as the limit block other requests for about 10 ms. */
export const WALK_LIMITS: WalkLimits = { maxSteps: 40_000, maxDepth: 200 };

/** Steps that a finding takes in addition, because its pointer has to be built. */
const STEPS_PER_FINDING = 4;

/** Maximum number of findings for one response. */
const MAX_FINDINGS = 1_000;

export interface WalkOptions extends WalkLimits {
  readonly isPartial: boolean;
}

/**
 * Collects the differences between a value and its schema. Each combination of location and kind counts once.
 *
 * @throws {ValidationBudgetError} when the limits are exceeded; incomplete findings are discarded
 */
export function collectFindings(
  value: Json,
  node: SchemaNode,
  options: WalkOptions,
): readonly ResponseFinding[] {
  const walk = new ValueWalk(options);
  walk.visit(node, value);
  return walk.findings;
}

/** Findings of a response, or of one alternative at one location. */
class FindingSet implements SchemaAttempt {
  readonly byKey: Map<string, ResponseFinding> = new Map();
  wrongCount = 0;
  toleratedCount = 0;

  add(key: string, finding: ResponseFinding): void {
    if (this.byKey.has(key) || this.byKey.size >= MAX_FINDINGS) return;
    this.byKey.set(key, finding);
    const weight = FINDING_SEVERITIES[finding.kind];
    if (weight === 'wrong') this.wrongCount += 1;
    else if (weight === 'tolerated') this.toleratedCount += 1;
  }
}

class ValueWalk implements ResponseWalk {
  readonly isPartial: boolean;
  readonly #depth: number;
  readonly #path: string[] = [];
  #steps: number;
  #level = 0;
  #found: FindingSet = new FindingSet();

  constructor({ isPartial, maxSteps, maxDepth }: WalkOptions) {
    this.isPartial = isPartial;
    this.#steps = maxSteps;
    this.#depth = maxDepth;
  }

  get findings(): readonly ResponseFinding[] {
    return [...this.#found.byKey.values()];
  }

  /** Validates a new location. Undeclared properties are reported here once, not by each schema of the location. */
  visit(node: SchemaNode, value: Json): void {
    this.validate(node, value);
    if (!isJsonObject(value)) return;
    const { names, isOpen, declaringPointer } = node.properties;
    if (isOpen) return;
    for (const name of Object.keys(value)) {
      if (names.has(name) || HAL_MEMBERS.has(name)) continue;
      this.report('extra', 'properties', jsonTypeOf(value[name] ?? null), declaringPointer, redactName(name));
    }
  }

  validate(node: SchemaNode, value: Json, referencePointer: string = node.pointer): void {
    this.spend(1);
    const type = jsonTypeOf(value);
    const wrong = classifyTypeMismatch(node.ownTypeMask, value, type);
    if (wrong !== null) {
      this.report(wrong, 'type', type, referencePointer);
      return;
    }
    this.#level += 1;
    if (this.#level > this.#depth) throw new ValidationBudgetError('too-deep');
    const { checks } = node;
    this.#run(checks.any, value, referencePointer);
    if (typeof value === 'string') this.#run(checks.string, value, referencePointer);
    else if (typeof value === 'number') this.#run(checks.number, value, referencePointer);
    else if (isJsonObject(value)) this.#run<JsonObject>(checks.object, value, referencePointer);
    else if (Array.isArray(value)) this.#run<readonly Json[]>(checks.array, value, referencePointer);
    this.#level -= 1;
  }

  validateChild(token: string, node: SchemaNode, value: Json): void {
    this.#path.push(token);
    this.visit(node, value);
    this.#path.pop();
  }

  attempt(node: SchemaNode, value: Json): SchemaAttempt {
    const before = this.#found;
    const found = new FindingSet();
    this.#found = found;
    this.validate(node, value);
    this.#found = before;
    return found;
  }

  reportAttempt(attempt: SchemaAttempt): void {
    if (attempt instanceof FindingSet)
      for (const [key, finding] of attempt.byKey) this.#found.add(key, finding);
  }

  report(
    kind: ResponseFindingKind,
    keyword: string,
    actual: JsonType | 'nothing',
    schemaPointer: string,
    token?: string,
  ): void {
    this.spend(STEPS_PER_FINDING);
    const path = this.#path.map(toPointerSegment).join('');
    const pointer = token === undefined ? path : path + toPointerSegment(token);
    this.#found.add(`${pointer}\n${kind}\n${actual}\n${keyword}\n${schemaPointer}`, {
      kind,
      pointer,
      actual,
      keyword,
      schema: schemaPointer,
    });
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new ValidationBudgetError('too-costly');
  }

  #run<Value extends Json>(
    checks: readonly SchemaCheck<Value>[],
    value: Value,
    referencePointer: string,
  ): void {
    for (const check of checks) check(value, this, referencePointer);
  }
}
