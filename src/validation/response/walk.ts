import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import { HAL_MEMBERS, redactName } from './applicators.ts';
import {
  classifyTypeMismatch,
  type JsonType,
  jsonTypeOf,
  type ResponseFinding,
  type ResponseFindingKind,
  SEVERITY_OF_FINDING,
} from './finding.ts';
import { type Attempt, Exhausted, type ResponseWalk, type SchemaCheck, type SchemaNode } from './node.ts';

export interface WalkLimits {
  /** How many schemas, members and the like one answer may take. */
  readonly steps: number;
  /** How deep schemas are followed, into the value and on the spot. */
  readonly depth: number;
}

/** A list of ten posts takes a thousand steps; what takes as many as these blocks other requests for some 10 ms. */
export const WALK_LIMITS: WalkLimits = { steps: 40_000, depth: 200 };

/** To find something takes longer than to find nothing. */
const STEPS_OF_A_FINDING = 4;

/** More places than this in one answer are not told apart any more. */
const MOST_FINDINGS = 1_000;

export interface WalkOptions extends WalkLimits {
  readonly partial: boolean;
}

/**
 * Everything in a value that is not as its schema says, each place and kind once.
 *
 * @throws {Exhausted} where that takes more than the limits: what has been found by then is not all, and is not told
 */
export function findIn(value: Json, node: SchemaNode, options: WalkOptions): readonly ResponseFinding[] {
  const walk = new Walking(options);
  walk.begin(node, value);
  return walk.findings;
}

/** What was found in one place, or what one alternative would find there. */
class Found implements Attempt {
  readonly byKey: Map<string, ResponseFinding> = new Map();
  wrong = 0;
  tolerated = 0;

  add(key: string, finding: ResponseFinding): void {
    if (this.byKey.has(key) || this.byKey.size >= MOST_FINDINGS) return;
    this.byKey.set(key, finding);
    const weight = SEVERITY_OF_FINDING[finding.kind];
    if (weight === 'wrong') this.wrong += 1;
    else if (weight === 'tolerated') this.tolerated += 1;
  }
}

class Walking implements ResponseWalk {
  readonly partial: boolean;
  readonly #depth: number;
  readonly #path: string[] = [];
  #steps: number;
  #level = 0;
  #found: Found = new Found();

  constructor({ partial, steps, depth }: WalkOptions) {
    this.partial = partial;
    this.#steps = steps;
    this.#depth = depth;
  }

  get findings(): readonly ResponseFinding[] {
    return [...this.#found.byKey.values()];
  }

  /** Comes to a place: what no schema for it mentions is said here, once, and not by each of them. */
  begin(node: SchemaNode, value: Json): void {
    this.validate(node, value);
    if (!isJsonObject(value)) return;
    const { names, open, pointer } = node.properties;
    if (open) return;
    for (const name of Object.keys(value)) {
      if (names.has(name) || HAL_MEMBERS.has(name)) continue;
      this.report('extra', 'properties', jsonTypeOf(value[name] ?? null), pointer, redactName(name));
    }
  }

  validate(node: SchemaNode, value: Json, use: string = node.pointer): void {
    this.spend(1);
    const type = jsonTypeOf(value);
    const wrong = classifyTypeMismatch(node.ownTypes, value, type);
    if (wrong !== null) {
      this.report(wrong, 'type', type, use);
      return;
    }
    this.#level += 1;
    if (this.#level > this.#depth) throw new Exhausted('too-deep');
    const { checks } = node;
    this.#run(checks.any, value, use);
    if (typeof value === 'string') this.#run(checks.string, value, use);
    else if (typeof value === 'number') this.#run(checks.number, value, use);
    else if (isJsonObject(value)) this.#run<JsonObject>(checks.object, value, use);
    else if (Array.isArray(value)) this.#run<readonly Json[]>(checks.array, value, use);
    this.#level -= 1;
  }

  validateChild(token: string, node: SchemaNode, value: Json): void {
    this.#path.push(token);
    this.begin(node, value);
    this.#path.pop();
  }

  attempt(node: SchemaNode, value: Json): Attempt {
    const before = this.#found;
    const found = new Found();
    this.#found = found;
    this.validate(node, value);
    this.#found = before;
    return found;
  }

  adopt(attempt: Attempt): void {
    if (attempt instanceof Found) for (const [key, finding] of attempt.byKey) this.#found.add(key, finding);
  }

  report(
    kind: ResponseFindingKind,
    keyword: string,
    saw: JsonType | 'nothing',
    schema: string,
    token?: string,
  ): void {
    this.spend(STEPS_OF_A_FINDING);
    const path = this.#path.map(pointerToken).join('');
    const pointer = token === undefined ? path : path + pointerToken(token);
    this.#found.add(`${pointer}\n${kind}\n${saw}\n${keyword}\n${schema}`, {
      kind,
      pointer,
      saw,
      keyword,
      schema,
    });
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new Exhausted('too-costly');
  }

  #run<Value extends Json>(checks: readonly SchemaCheck<Value>[], value: Value, use: string): void {
    for (const check of checks) check(value, this, use);
  }
}
