import type { Json, JsonObject } from '../json.ts';
import { dereference } from '../openapi/document-references.ts';
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
    resolveBefore: (value) => dereference(value, before) ?? {},
    resolveAfter: (value) => dereference(value, after) ?? {},
    report(rule, { direction, label, path, source }, values) {
      collector.report(rule, { direction, source, subject: describePlace(label, path) }, values);
    },
    count: collector.count,
    below: (place, name) => ({ ...place, path: [...place.path, name], depth: place.depth + 1 }),
  };
}

function describePlace(label: string, path: readonly string[]): string {
  if (path.length === 0) return label;
  const text = path.reduce((before, name) => {
    if (name === '[]') return `${before}[]`;
    return before === '' ? name : `${before}.${name}`;
  }, '');
  return text === '[]' ? `${label}, each item` : `${label}, member ${printName(text)}`;
}
