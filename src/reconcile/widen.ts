import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toJsonPath, toListItemPath, type JsonLocation } from '../openapi/json-path.ts';
import type { ResponseFindingKind } from '../validation/response/index.ts';
import type { SchemaFinding, SchemaFindings } from './findings.ts';
import { locatePointer } from './locate.ts';

/** An Action Object of the OpenAPI Overlay Specification 1.1. */
export interface OverlayAction extends JsonObject {
  readonly target: string;
  readonly description: string;
  readonly 'x-waygate-evidence': Json;
}

/** More names than these were never meant to be listed: the object is a map. */
const MAX_LISTED_PROPERTIES = 50;

const SEEN_DESCRIPTION = "Not in the site's index: seen in its answers.";

/** Kinds by which a schema gets further types; the others change a keyword of it. */
const TYPE_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set([
  ...(['null', 'empty-array-for-object', 'string-for-number', 'type'] as const),
]);

/**
 * The changes by which a schema allows what was seen, and as little else as can be said without keeping values.
 *
 * @param document the schema is looked up in it, so that a change fits what stands there
 */
export function widenSchema(document: JsonObject, { schema, evidence }: SchemaFindings): readonly OverlayAction[] {
  const place = locatePointer(document, schema);
  if (place === null || !isJsonObject(place.value)) return [];
  const widening: Widening = { at: place.location, schema: place.value, evidence };
  return [
    ...widenTypes({ ...widening, evidence: evidence.filter(({ kind }) => TYPE_FINDINGS.has(kind)) }),
    ...addProperties({ ...widening, evidence: evidence.filter(({ kind }) => EXTRA_PROPERTY_FINDINGS.has(kind)) }),
    ...relaxRequired({ ...widening, evidence: evidence.filter(isMissingRequired) }),
    ...dropKeywords({ ...widening, evidence: evidence.filter(isKeywordViolation) }),
  ];
}

const EXTRA_PROPERTY_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set(['extra', 'forbidden'] as const);

function isMissingRequired({ kind, keyword }: SchemaFinding): boolean {
  return kind === 'missing' && keyword === 'required';
}

function isKeywordViolation(evidence: SchemaFinding): boolean {
  return !TYPE_FINDINGS.has(evidence.kind) && !EXTRA_PROPERTY_FINDINGS.has(evidence.kind) && !isMissingRequired(evidence);
}

interface Widening {
  readonly at: JsonLocation;
  readonly schema: JsonObject;
  readonly evidence: readonly SchemaFinding[];
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
    return [removeAction([...at, '$ref'], said), updateAction(at, { anyOf: [{ $ref }, ...alternatives] }, said)];
  }
  if (either !== undefined && Array.isArray(schema[either])) {
    return [updateAction(at, { [either]: alternatives }, said)];
  }
  const before = Array.isArray(type) ? type : [type ?? null].filter((each) => each !== null);
  const change: JsonObject = {
    type: Array.isArray(type) ? types : [...before, ...types],
    ...(seen.has('empty array') && !Object.hasOwn(schema, 'maxItems') ? { maxItems: 0 } : {}),
    ...(seen.has('null') && Array.isArray(schema['enum']) ? { enum: [null] } : {}),
  };
  // A list is joined with what stands there, a value has to make room for one (Overlay 1.1, Action Object).
  return [...(typeof type === 'string' ? [removeAction([...at, 'type'], said)] : []), updateAction(at, change, said)];
}

function addProperties({ at, evidence }: Widening): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const byName = groupBy(evidence, 'name');
  if (byName.size > MAX_LISTED_PROPERTIES || byName.has('*')) {
    const isClosed = evidence.some(({ kind }) => kind === 'forbidden');
    const said = { description: 'Also any other property.', evidence: mostFrequent(evidence) };
    return [
      ...(isClosed ? [removeAction([...at, 'additionalProperties'], said)] : []),
      updateAction(at, { additionalProperties: {} }, said),
    ];
  }
  return [...byName].sort(byKey).map(([name, its]) => {
    const types = [...new Set(its.map(({ saw }) => saw))].sort();
    // Who has only seen null does not know what else there is.
    const typed: JsonObject = types.length === 1 && types[0] === 'null' ? {} : { type: types };
    return updateAction(
      at,
      { properties: Object.fromEntries([[name, { description: SEEN_DESCRIPTION, ...typed }]]) },
      { description: `Also a property ${name}.`, evidence: its },
    );
  });
}

function relaxRequired({ at, evidence }: Widening): readonly OverlayAction[] {
  return [...groupBy(evidence, 'name')].sort(byKey).map(([name, its]) => ({
    target: toListItemPath([...at, 'required'], name),
    description: `${name} may be missing.`,
    remove: true,
    'x-waygate-evidence': toEvidence(its),
  }));
}

function dropKeywords({ at, schema, evidence }: Widening): readonly OverlayAction[] {
  return [...groupBy(evidence, 'keyword')].sort(byKey).flatMap(([keyword, its]) => {
    const stated = schema[keyword];
    if (stated === undefined) return [];
    const said = { description: `Not held to ${keyword}.`, evidence: its };
    // Several alternatives may be right at once.
    return keyword === 'oneOf' && Array.isArray(stated)
      ? [removeAction([...at, keyword], said), updateAction(at, { anyOf: stated }, said)]
      : [removeAction([...at, keyword], said)];
  });
}

interface ActionReason {
  readonly description: string;
  readonly evidence: readonly SchemaFinding[];
}

function updateAction(at: JsonLocation, change: JsonObject, { description, evidence }: ActionReason): OverlayAction {
  return { target: toJsonPath(at), description, update: change, 'x-waygate-evidence': toEvidence(evidence) };
}

function removeAction(at: JsonLocation, { description, evidence }: ActionReason): OverlayAction {
  return { target: toJsonPath(at), description, remove: true, 'x-waygate-evidence': toEvidence(evidence) };
}

function toEvidence(evidence: readonly SchemaFinding[]): Json {
  return evidence.map(({ answers, kind, of, operations, saw }) => ({
    kind,
    saw,
    answers,
    of,
    operations: [...operations],
  }));
}

/** Of many names, the one that most answers showed. */
function mostFrequent(evidence: readonly SchemaFinding[]): readonly SchemaFinding[] {
  return [...evidence].sort((one, other) => other.answers - one.answers).slice(0, 1);
}

function groupBy(evidence: readonly SchemaFinding[], by: 'name' | 'keyword'): ReadonlyMap<string, SchemaFinding[]> {
  const groups = new Map<string, SchemaFinding[]>();
  for (const each of evidence) groups.set(each[by], [...(groups.get(each[by]) ?? []), each]);
  return groups;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
