import { EXTENSION_NAMES } from '../document-extensions.ts';
import { groupBy, sortByKey } from '../group-by.ts';
import { isJsonObject, type Json, type JsonObject, type JsonType, unescapePointerToken } from '../json.ts';
import { type JsonLocation, locatePointer } from '../openapi/document-references.ts';
import { applyOverlay, type OpenApiDocument, readServedApi } from '../openapi/index.ts';
import { toJsonPath, toListItemPath } from '../openapi/json-path.ts';
import { runSteps } from '../steps.ts';
import type { ResponseFindingKind } from '../validation/response/finding.ts';
import {
  ResponseFindingStats,
  type ResponseValidationReport,
  ResponseValidator,
  type SampledResponse,
} from '../validation/response/validator.ts';
import { inferComponents } from './inference/components.ts';
import { REQUIRED_EVIDENCE } from './inference/create-schema.ts';
import { inferResponses, LINK_REFERENCE } from './inference/infer-responses.ts';
import {
  completeSchemas,
  type FewSamples,
  findFewSamples,
  SEEN_DESCRIPTION,
} from './inference/schema-places.ts';
import { separateForms } from './inference/separate-forms.ts';
import { decideDeletions, describeConventionalWrites } from './inference/writes.ts';
import type { OverlayAction } from './overlay-action.ts';
import type { RouteSample } from './sample.ts';
import { mergeSamples } from './seen-responses.ts';

/** The actions that correct and complete a document, and what they achieve. */
export interface OverlayOutcome {
  readonly actions: readonly OverlayAction[];
  /** The document with the actions applied. */
  readonly document: OpenApiDocument;
  /** Findings in the samples before and after. */
  readonly before: ResponseValidationReport;
  readonly after: ResponseValidationReport;
  /** Schemas of items of which fewer objects were seen than a required member needs. */
  readonly few: readonly FewSamples[];
}

/** Maximum number of widening rounds. The members of a type are validated only after a round has allowed the type. */
const MAX_ROUNDS = 8;

/**
 * Creates the actions of an overlay. Schemas of the document are widened until every response is valid, then completed
 * where they say too little; then responses without a schema get one.
 *
 * @param samples responses with their content
 * @param leastSamples number of objects from which a member that all of them have is required
 */
export function createOverlayActions(
  document: OpenApiDocument,
  samples: readonly RouteSample[],
  leastSamples: number = REQUIRED_EVIDENCE,
): OverlayOutcome {
  const shapes = mergeSamples(samples);
  const before = validateSamples(document, samples);
  const draft = new OverlayDraft(document);
  // Undeclared properties are added below, with the schemas of their values.
  draft.widen((content) => validateSamples(content, samples), before, false);
  draft.apply(decideDeletions(draft.document, shapes));
  draft.apply(separateForms(draft.document, shapes));
  const complete = (): void => {
    const { options } = inferComponents([], draft.document, LINK_REFERENCE, leastSamples);
    draft.apply(completeSchemas(draft.document, shapes, options));
  };
  complete();
  draft.apply(inferResponses(draft.document, shapes, leastSamples));
  // What was inferred matches all responses by construction. A component that several places share may need more.
  complete();
  const after = draft.widen((content) => validateSamples(content, samples));
  if (shapes.length > 0) draft.apply(describeConventionalWrites(draft.document));
  const few = findFewSamples(draft.document, shapes, leastSamples);
  return { actions: draft.actions, document: draft.document, before, after, few };
}

/** Actions, and the document that they were applied to. */
class OverlayDraft {
  document: OpenApiDocument;
  readonly actions: OverlayAction[] = [];

  constructor(document: OpenApiDocument) {
    this.document = document;
  }

  apply(actions: readonly OverlayAction[]): void {
    if (actions.length === 0) return;
    this.actions.push(...actions);
    this.document = applyOverlay(this.document, { overlay: '1.1.0', actions }).document;
  }

  /**
   * Widens schemas until no finding is left that an action could remove. Returns the last findings.
   *
   * @param addsProperties whether undeclared properties are added
   */
  widen(
    validate: (document: OpenApiDocument) => ResponseValidationReport,
    current: ResponseValidationReport = validate(this.document),
    addsProperties = true,
  ): ResponseValidationReport {
    let report = current;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = groupFindingsBySchema(report).flatMap(({ findings, schemaPointer }) => {
        const selected = findings.filter(({ kind }) => addsProperties || kind !== 'extra');
        return widenSchema(this.document, { schemaPointer, findings: selected });
      });
      if (next.length === 0) break;
      this.apply(next);
      report = validate(this.document);
    }
    return report;
  }
}

function validateSamples(
  document: OpenApiDocument,
  samples: readonly RouteSample[],
): ResponseValidationReport {
  const validator = new ResponseValidator(document);
  const stats = new ResponseFindingStats();
  const routes = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
  for (const sample of samples) {
    // An action may have changed the schema of a response.
    const current = routes.get(sample.route)?.operations.get(sample.operation.method);
    const operation = current ?? sample.operation;
    stats.record(findingsLabel(sample), validator.validate({ ...sample, operation }));
  }
  return stats.report();
}

/** Findings are counted separately for each context, because each has its own component. */
function findingsLabel({ context, operation }: SampledResponse): string {
  return context === null ? operation.id : `${operation.id}?context=${context}`;
}

/** An object with more undeclared properties than this is a map, whose properties are not listed. */
const MAX_LISTED_PROPERTIES = 50;

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
  const missing = findings.filter(({ kind }) => kind === 'missing');
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
    evidence.map(({ kind, actual }) => (kind === 'empty-array-for-object' ? 'empty array' : actual)),
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
  const byName = groupBy(evidence, ({ name }) => name);
  if (byName.size > MAX_LISTED_PROPERTIES || byName.has('*')) {
    const isClosed = evidence.some(({ kind }) => kind === 'forbidden');
    // The finding with the most responses is evidence enough for a map.
    const [most] = [...evidence].sort((one, other) => other.responses - one.responses);
    const reason = { description: 'Also any other property.', evidence: most ? [most] : [] };
    return [
      ...(isClosed ? [removeAction([...at, 'additionalProperties'], reason)] : []),
      updateAction(at, { additionalProperties: {} }, reason),
    ];
  }
  return sortByKey(byName).map(([name, group]) => {
    const types = [...new Set(group.map(({ actual }) => actual))].sort();
    // A property that was null in every response may have any type.
    const typed: JsonObject = types.length === 1 && types[0] === 'null' ? {} : { type: types };
    const properties = Object.fromEntries([[name, { description: SEEN_DESCRIPTION, ...typed }]]);
    return updateAction(at, { properties }, { description: `Also a property ${name}.`, evidence: group });
  });
}

function relaxRequired(at: JsonLocation, evidence: readonly SchemaFinding[]): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, (finding) => finding.name)).map(([name, group]) => {
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

function createAction(target: string, change: JsonObject, reason: ActionReason): OverlayAction {
  const { description, evidence } = reason;
  const observed = evidence.map(({ kind, actual, responses, validated, operations }) => {
    return { kind, actual, responses, of: validated, operations: [...operations] };
  });
  return { target, description, ...change, [EXTENSION_NAMES.evidence]: observed };
}

/** A finding at one schema of the document. Its counts add up all operations that refer to the schema. */
interface SchemaFinding {
  readonly kind: ResponseFindingKind;
  readonly actual: JsonType | 'nothing';
  readonly keyword: string;
  /** Name of the property that the finding is about; empty if it is about the value itself. */
  readonly name: string;
  readonly responses: number;
  readonly validated: number;
  readonly operations: readonly string[];
}

interface SchemaFindings {
  readonly schemaPointer: string;
  readonly findings: readonly SchemaFinding[];
}

/** Groups the findings of operations by the schema that would have to change. */
export function groupFindingsBySchema({ operations }: ResponseValidationReport): readonly SchemaFindings[] {
  const schemas = new Map<string, Map<string, SchemaFinding>>();
  for (const { findings, validated, operation } of operations) {
    // An operation may refer to a schema in several places. A response with the finding in two of them is counted once.
    const byKey = new Map<string, { readonly evidence: SchemaFinding; readonly schema: string }>();
    for (const { responses, keyword, kind, pointer, actual, schema } of findings) {
      const isOfProperty = kind === 'missing' || EXTRA_PROPERTY_FINDINGS.has(kind);
      const name = isOfProperty ? lastToken(pointer) : '';
      const key = [schema, kind, actual, keyword, name].join('\n');
      const count = Math.max(responses, byKey.get(key)?.evidence.responses ?? 0);
      const evidence = { kind, actual, keyword, name, responses: count, validated, operations: [operation] };
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
    responses: total.responses + evidence.responses,
    validated: total.validated + evidence.validated,
    operations: [...total.operations, ...evidence.operations].sort(),
  };
}

function lastToken(pointer: string): string {
  return unescapePointerToken(pointer.slice(pointer.lastIndexOf('/') + 1));
}
