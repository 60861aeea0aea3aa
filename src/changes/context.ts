import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { resolveReference } from '../openapi/index.ts';
import type { ChangeCollector } from './collector.ts';
import type { ComponentPairs } from './component-pairs.ts';
import type { ChangePlace } from './place.ts';
import { printName } from './print-value.ts';
import type { ChangeRuleName, ChangeValues } from './rules.ts';

/** Compares two schemas at one place. Functions that `compare-schemas.ts` calls take it as an argument. */
export type SchemaComparison = (
  before: Json | undefined,
  after: Json | undefined,
  place: ChangePlace,
  context: ChangeContext,
) => void;

/** What the functions of one comparison share. */
export interface ChangeContext {
  readonly components: ComponentPairs;
  readonly resolveBefore: (value: JsonObject) => JsonObject;
  readonly resolveAfter: (value: JsonObject) => JsonObject;
  readonly report: (rule: ChangeRuleName, place: ChangePlace, values?: ChangeValues) => void;
  /** Number of reports so far. */
  readonly count: () => number;
  /** The place of a member. */
  readonly below: (place: ChangePlace, name: string) => ChangePlace;
}

export function createChangeContext(
  before: JsonObject,
  after: JsonObject,
  { collector, components }: { readonly collector: ChangeCollector; readonly components: ComponentPairs },
): ChangeContext {
  return {
    components,
    resolveBefore: (value) => resolveChain(before, value),
    resolveAfter: (value) => resolveChain(after, value),
    report(rule, { direction, label, path, source }, values) {
      collector.report(rule, { direction, source, subject: describePlace(label, path) }, values);
    },
    count: collector.count,
    below: (place, name) => ({ ...place, path: [...place.path, name], depth: place.depth + 1 }),
  };
}

/** Maximum number of references that lead to one another. */
const MAX_REFERENCES = 16;

/** Follows references. Keywords beside a reference apply too (OpenAPI 3.1, JSON Schema core §8.2.3.1). */
function resolveChain(document: JsonObject, value: JsonObject): JsonObject {
  let resolved = value;
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    if (typeof resolved['$ref'] !== 'string') return resolved;
    const { $ref, ...siblings } = resolved;
    const target = resolveReference(document, $ref);
    resolved = { ...(isJsonObject(target) ? target : {}), ...siblings };
  }
  return {};
}

function describePlace(label: string, path: readonly string[]): string {
  if (path.length === 0) return label;
  const text = path.reduce((before, name) => {
    if (name === '[]') return `${before}[]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
  return text === '[]' ? `${label}, each item` : `${label}, member ${printName(text)}`;
}
