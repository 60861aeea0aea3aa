import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { jsonPathOf, jsonPathOfText, type Location } from '../openapi/json-path.ts';
import type { FindingKind } from '../validation/response/index.ts';
import type { Evidence, SchemaEvidence } from './evidence.ts';
import { locate } from './locate.ts';

/** An Action Object of the OpenAPI Overlay Specification 1.1. */
export interface OverlayAction extends JsonObject {
  readonly target: string;
  readonly description: string;
  readonly 'x-waygate-evidence': Json;
}

/** More names than these were never meant to be listed: the object is a map. */
const MOST_NAMES = 50;

const SEEN = "Not in the site's index: seen in its answers.";

/** Kinds by which a schema gets further types; the others change a keyword of it. */
const BY_TYPE: ReadonlySet<FindingKind> = new Set([
  ...(['null', 'empty-array-for-object', 'string-for-number', 'type'] as const),
]);

/**
 * The changes by which a schema allows what was seen, and as little else as can be said without keeping values.
 *
 * @param document the schema is looked up in it, so that a change fits what stands there
 */
export function widen(document: JsonObject, { schema, evidence }: SchemaEvidence): readonly OverlayAction[] {
  const place = locate(document, schema);
  if (place === null || !isJsonObject(place.value)) return [];
  const widening: Widening = { at: place.location, schema: place.value, evidence };
  return [
    ...widenTypes({ ...widening, evidence: evidence.filter(({ kind }) => BY_TYPE.has(kind)) }),
    ...addProperties({ ...widening, evidence: evidence.filter(({ kind }) => ADDED.has(kind)) }),
    ...dropRequired({ ...widening, evidence: evidence.filter(isRequired) }),
    ...dropKeywords({ ...widening, evidence: evidence.filter(isKeyword) }),
  ];
}

const ADDED: ReadonlySet<FindingKind> = new Set(['extra', 'forbidden'] as const);

function isRequired({ kind, keyword }: Evidence): boolean {
  return kind === 'missing' && keyword === 'required';
}

function isKeyword(evidence: Evidence): boolean {
  return !BY_TYPE.has(evidence.kind) && !ADDED.has(evidence.kind) && !isRequired(evidence);
}

interface Widening {
  readonly at: Location;
  readonly schema: JsonObject;
  readonly evidence: readonly Evidence[];
}

function widenTypes({ at, schema, evidence }: Widening): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const { $ref, type } = schema;
  const seen = new Set(
    evidence.map(({ kind, saw }) => (kind === 'empty-array-for-object' ? 'empty array' : saw)),
  );
  if (seen.has('array')) seen.delete('empty array');
  const types = [...seen].map((each) => (each === 'empty array' ? 'array' : each)).sort();
  const description = `Also ${[...seen].sort().join(', ')}.`;
  const alternatives = [...seen]
    .sort()
    .map((each): Json => (each === 'empty array' ? { type: 'array', maxItems: 0 } : { type: each }));
  const said = { description, evidence };
  const either = evidence.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')?.keyword;
  if (typeof $ref === 'string') {
    // What is referred to is right elsewhere.
    return [remove([...at, '$ref'], said), update(at, { anyOf: [{ $ref }, ...alternatives] }, said)];
  }
  if (either !== undefined && Array.isArray(schema[either])) {
    return [update(at, { [either]: alternatives }, said)];
  }
  const before = Array.isArray(type) ? type : [type ?? null].filter((each) => each !== null);
  const change: JsonObject = {
    type: Array.isArray(type) ? types : [...before, ...types],
    ...(seen.has('empty array') && !Object.hasOwn(schema, 'maxItems') ? { maxItems: 0 } : {}),
    ...(seen.has('null') && Array.isArray(schema['enum']) ? { enum: [null] } : {}),
  };
  // A list is joined with what stands there, a value has to make room for one (Overlay 1.1, Action Object).
  return [...(typeof type === 'string' ? [remove([...at, 'type'], said)] : []), update(at, change, said)];
}

function addProperties({ at, evidence }: Widening): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const byName = grouped(evidence, 'name');
  if (byName.size > MOST_NAMES || byName.has('*')) {
    const isClosed = evidence.some(({ kind }) => kind === 'forbidden');
    const said = { description: 'Also any other property.', evidence: summed(evidence) };
    return [
      ...(isClosed ? [remove([...at, 'additionalProperties'], said)] : []),
      update(at, { additionalProperties: {} }, said),
    ];
  }
  return [...byName].sort(byKey).map(([name, its]) => {
    const types = [...new Set(its.map(({ saw }) => saw))].sort();
    // Who has only seen null does not know what else there is.
    const typed: JsonObject = types.length === 1 && types[0] === 'null' ? {} : { type: types };
    return update(
      at,
      { properties: Object.fromEntries([[name, { description: SEEN, ...typed }]]) },
      { description: `Also a property ${name}.`, evidence: its },
    );
  });
}

function dropRequired({ at, evidence }: Widening): readonly OverlayAction[] {
  return [...grouped(evidence, 'name')].sort(byKey).map(([name, its]) => ({
    target: jsonPathOfText([...at, 'required'], name),
    description: `${name} may be missing.`,
    remove: true,
    'x-waygate-evidence': shown(its),
  }));
}

function dropKeywords({ at, schema, evidence }: Widening): readonly OverlayAction[] {
  return [...grouped(evidence, 'keyword')].sort(byKey).flatMap(([keyword, its]) => {
    const stated = schema[keyword];
    if (stated === undefined) return [];
    const said = { description: `Not held to ${keyword}.`, evidence: its };
    // Several alternatives may be right at once.
    return keyword === 'oneOf' && Array.isArray(stated)
      ? [remove([...at, keyword], said), update(at, { anyOf: stated }, said)]
      : [remove([...at, keyword], said)];
  });
}

interface Said {
  readonly description: string;
  readonly evidence: readonly Evidence[];
}

function update(at: Location, change: JsonObject, { description, evidence }: Said): OverlayAction {
  return { target: jsonPathOf(at), description, update: change, 'x-waygate-evidence': shown(evidence) };
}

function remove(at: Location, { description, evidence }: Said): OverlayAction {
  return { target: jsonPathOf(at), description, remove: true, 'x-waygate-evidence': shown(evidence) };
}

function shown(evidence: readonly Evidence[]): Json {
  return evidence.map(({ answers, kind, of, operations, saw }) => ({
    kind,
    saw,
    answers,
    of,
    operations: [...operations],
  }));
}

/** Of many names, the one that most answers showed. */
function summed(evidence: readonly Evidence[]): readonly Evidence[] {
  return [...evidence].sort((one, other) => other.answers - one.answers).slice(0, 1);
}

function grouped(evidence: readonly Evidence[], by: 'name' | 'keyword'): ReadonlyMap<string, Evidence[]> {
  const groups = new Map<string, Evidence[]>();
  for (const each of evidence) groups.set(each[by], [...(groups.get(each[by]) ?? []), each]);
  return groups;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
