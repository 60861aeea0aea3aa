import { EXTENSION_NAMES } from '../document-extensions.ts';
import { groupBy, sortByKey } from '../group-by.ts';
import { isJsonObject, type Json, type JsonObject, unescapePointerToken } from '../json.ts';
import { type JsonLocation, locatePointer } from '../openapi/document-references.ts';
import { toJsonPath, toListItemPath } from '../openapi/json-path.ts';
import type { JsonType, ResponseFindingKind } from '../validation/response/finding.ts';
import type { ResponseValidationReport } from '../validation/response/validator.ts';
import type { OverlayAction } from './overlay-action.ts';

/** An object with more undeclared properties than this is a map, whose properties are not listed. */
const MAX_LISTED_PROPERTIES = 50;

const SEEN_DESCRIPTION = "Not in the site's index: seen in its responses.";

/** Kinds of findings that add a type to a schema. The others change a keyword. */
const TYPE_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set([
  'null',
  'empty-array-for-object',
  'string-for-number',
  'type',
] as const);

const EXTRA_PROPERTY_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set(['extra', 'forbidden'] as const);

/**
 * Creates the overlay actions that make a schema allow the observed responses, and as little else as possible. Actions
 * contain no values of responses.
 *
 * @param document contains the schema in its current form, which the actions have to fit
 */
export function widenSchema(
  document: JsonObject,
  { schemaPointer, findings }: SchemaFindings,
): readonly OverlayAction[] {
  const target = locatePointer(document, schemaPointer);
  if (target === null || !isJsonObject(target.value)) return [];
  const { location: at, value: schema } = target;
  const types = findings.filter(({ kind }) => TYPE_FINDINGS.has(kind));
  const extra = findings.filter(({ kind }) => EXTRA_PROPERTY_FINDINGS.has(kind));
  const missing = findings.filter(({ kind, keyword }) => kind === 'missing' && keyword === 'required');
  const handled = new Set([...types, ...extra, ...missing]);
  const others = findings.filter((finding) => !handled.has(finding));
  return [
    ...widenTypes(at, schema, types),
    ...addProperties(at, extra),
    ...relaxRequired(at, missing),
    ...dropKeywords(at, schema, others),
  ];
}

function widenTypes(
  at: JsonLocation,
  schema: JsonObject,
  evidence: readonly SchemaFinding[],
): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const { $ref, type } = schema;
  const seen = new Set(
    evidence.map(({ kind, actualType }) => (kind === 'empty-array-for-object' ? 'empty array' : actualType)),
  );
  if (seen.has('array')) seen.delete('empty array');
  const types = [...seen].map((item) => (item === 'empty array' ? 'array' : item)).sort();
  const description = `Also ${[...seen].sort().join(', ')}.`;
  const alternatives = [...seen]
    .sort()
    .map((item): Json => (item === 'empty array' ? { type: 'array', maxItems: 0 } : { type: item }));
  const reason = { description, evidence };
  const combinator = evidence.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')?.keyword;
  if (typeof $ref === 'string') {
    // The referenced schema may be correct for other references, so the reference becomes one alternative.
    return [
      removeAction([...at, '$ref'], reason),
      updateAction(at, { anyOf: [{ $ref }, ...alternatives] }, reason),
    ];
  }
  if (combinator !== undefined && Array.isArray(schema[combinator])) {
    return [updateAction(at, { [combinator]: alternatives }, reason)];
  }
  const currentTypes = Array.isArray(type) ? type : [type ?? null].filter((item) => item !== null);
  const change: JsonObject = {
    type: Array.isArray(type) ? types : [...currentTypes, ...types],
    ...(seen.has('empty array') && !Object.hasOwn(schema, 'maxItems') ? { maxItems: 0 } : {}),
    ...(seen.has('null') && Array.isArray(schema['enum']) ? { enum: [null] } : {}),
  };
  // An update appends to a list but cannot turn a string into one: it is removed first (Overlay 1.1, Action Object).
  return [
    ...(typeof type === 'string' ? [removeAction([...at, 'type'], reason)] : []),
    updateAction(at, change, reason),
  ];
}

function addProperties(at: JsonLocation, evidence: readonly SchemaFinding[]): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const byName = groupBy(evidence, ({ propertyName }) => propertyName);
  if (byName.size > MAX_LISTED_PROPERTIES || byName.has('*')) {
    const isClosed = evidence.some(({ kind }) => kind === 'forbidden');
    // The finding with the most responses is evidence enough for a map.
    const [most] = [...evidence].sort((one, other) => other.responseCount - one.responseCount);
    const reason = { description: 'Also any other property.', evidence: most ? [most] : [] };
    return [
      ...(isClosed ? [removeAction([...at, 'additionalProperties'], reason)] : []),
      updateAction(at, { additionalProperties: {} }, reason),
    ];
  }
  return sortByKey(byName).map(([name, group]) => {
    const types = [...new Set(group.map(({ actualType }) => actualType))].sort();
    // A property that was null in every response may have any type.
    const typed: JsonObject = types.length === 1 && types[0] === 'null' ? {} : { type: types };
    return updateAction(
      at,
      { properties: Object.fromEntries([[name, { description: SEEN_DESCRIPTION, ...typed }]]) },
      { description: `Also a property ${name}.`, evidence: group },
    );
  });
}

function relaxRequired(at: JsonLocation, evidence: readonly SchemaFinding[]): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, ({ propertyName }) => propertyName)).map(([name, group]) => {
    const reason = { description: `${name} may be missing.`, evidence: group };
    return createAction(toListItemPath([...at, 'required'], name), { remove: true }, reason);
  });
}

function dropKeywords(
  at: JsonLocation,
  schema: JsonObject,
  evidence: readonly SchemaFinding[],
): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, ({ keyword }) => keyword)).flatMap(([keyword, group]) => {
    const stated = schema[keyword];
    if (stated === undefined) return [];
    const reason = { description: `Not held to ${keyword}.`, evidence: group };
    // The response matched several alternatives, so `oneOf` becomes `anyOf`.
    return keyword === 'oneOf' && Array.isArray(stated)
      ? [removeAction([...at, keyword], reason), updateAction(at, { anyOf: stated }, reason)]
      : [removeAction([...at, keyword], reason)];
  });
}

/** The description and the evidence of an action. */
interface ActionReason {
  readonly description: string;
  readonly evidence: readonly SchemaFinding[];
}

function updateAction(at: JsonLocation, update: JsonObject, reason: ActionReason): OverlayAction {
  return createAction(toJsonPath(at), { update }, reason);
}

function removeAction(at: JsonLocation, reason: ActionReason): OverlayAction {
  return createAction(toJsonPath(at), { remove: true }, reason);
}

function createAction(
  target: string,
  change: JsonObject,
  { description, evidence }: ActionReason,
): OverlayAction {
  const observed = evidence.map(({ responseCount, kind, validatedCount, operations, actualType }) => ({
    kind,
    actual: actualType,
    responses: responseCount,
    of: validatedCount,
    operations: [...operations],
  }));
  return { target, description, ...change, [EXTENSION_NAMES.evidence]: observed };
}

/** A finding at one schema of the document. Its counts add up all operations that refer to the schema. */
interface SchemaFinding {
  readonly kind: ResponseFindingKind;
  /** The JSON type of the value in the response. */
  readonly actualType: JsonType | 'nothing';
  readonly keyword: string;
  /** Name of the property that the finding is about; empty if it is about the value itself. */
  readonly propertyName: string;
  /** Number of responses with the finding. */
  readonly responseCount: number;
  /** Number of validated responses of these operations. */
  readonly validatedCount: number;
  readonly operations: readonly string[];
}

/** The findings at one schema. */
interface SchemaFindings {
  /** JSON pointer into the document. */
  readonly schemaPointer: string;
  readonly findings: readonly SchemaFinding[];
}

/** Kinds of findings about one property of an object. */
const PROPERTY_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set([
  'extra',
  'forbidden',
  'missing',
] as const);

/** Groups the findings of operations by the schema that would have to change. */
export function groupFindingsBySchema({ operations }: ResponseValidationReport): readonly SchemaFindings[] {
  const schemas = new Map<string, Map<string, SchemaFinding>>();
  for (const { findings, validated, operation } of operations) {
    // An operation may refer to a schema in several places. A response with the finding in two of them is counted once.
    const byKey = new Map<string, { readonly evidence: SchemaFinding; readonly schema: string }>();
    for (const { responses, keyword, kind, pointer, actual, schema } of findings) {
      const name = PROPERTY_FINDINGS.has(kind) ? lastToken(pointer) : '';
      const key = [schema, kind, actual, keyword, name].join('\n');
      const count = Math.max(responses, byKey.get(key)?.evidence.responseCount ?? 0);
      const evidence = {
        kind,
        actualType: actual,
        keyword,
        propertyName: name,
        responseCount: count,
        validatedCount: validated,
        operations: [operation],
      };
      byKey.set(key, { evidence, schema });
    }
    for (const [key, { evidence, schema }] of byKey) {
      const known = schemas.get(schema) ?? new Map<string, SchemaFinding>();
      schemas.set(schema, known.set(key, addCounts(known.get(key), evidence)));
    }
  }
  return sortByKey(schemas).map(([schemaPointer, evidence]) => ({
    schemaPointer,
    findings: [...evidence.values()],
  }));
}

function addCounts(total: SchemaFinding | undefined, evidence: SchemaFinding): SchemaFinding {
  if (total === undefined) return evidence;
  return {
    ...evidence,
    responseCount: total.responseCount + evidence.responseCount,
    validatedCount: total.validatedCount + evidence.validatedCount,
    operations: [...total.operations, ...evidence.operations].sort(),
  };
}

function lastToken(pointer: string): string {
  return unescapePointerToken(pointer.slice(pointer.lastIndexOf('/') + 1));
}
