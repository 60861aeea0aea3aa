import { groupBy, sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, unescapePointerToken } from '../../base/json.ts';
import { runSteps } from '../../base/steps.ts';
import { type JsonLocation, locatePointer } from '../openapi/document-objects.ts';
import { applyOverlay, type OpenApiDocument, readServedApi } from '../openapi/index.ts';
import { toListItemPath } from '../openapi/json-path.ts';
import type { ResponseFinding, ResponseFindingKind } from '../validation/response/schema.ts';
import {
  createResponseValidator,
  ResponseFindingStats,
  type ResponseValidationReport,
} from '../validation/response/validator.ts';
import { createInferenceOptions, inferResponses, settleForms } from './inference/infer-responses.ts';
import { completeSchemas, replaceContradicted } from './inference/schema-places.ts';
import type { RouteSample } from './sample.ts';
import { createAction, findingsLabel, mergeSamples, type OverlayAction } from './seen-responses.ts';

export interface OverlayOutcome extends Readonly<Record<'before' | 'after', ResponseValidationReport>> {
  readonly actions: readonly OverlayAction[];
  readonly document: OpenApiDocument;
}

const MAX_ROUNDS = 8;

export function createOverlayActions(
  document: OpenApiDocument,
  samples: readonly RouteSample[],
): OverlayOutcome {
  const shapes = mergeSamples(samples);
  const actions: OverlayAction[] = [];
  let draft = document;
  const apply = (next: readonly OverlayAction[]): void => {
    actions.push(...next);
    if (next.length > 0) draft = applyOverlay(draft, { overlay: '1.1.0', actions: next }).document;
  };
  const widen = (current: ResponseValidationReport, addsProperties: boolean): ResponseValidationReport => {
    let report = current;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = widenSchemas(draft, report, addsProperties);
      if (next.length === 0) break;
      apply(next);
      report = validateSamples(draft, samples);
    }
    return report;
  };
  const complete = (): void => apply(completeSchemas(draft, shapes, createInferenceOptions(draft)));
  const before = validateSamples(document, samples);
  apply(replaceContradicted(draft, shapes, createInferenceOptions(draft)));
  widen(validateSamples(draft, samples), false);
  complete();
  apply(inferResponses(draft, shapes));
  // A component that several places share can need widening after all.
  complete();
  apply(settleForms(draft, shapes));
  const after = widen(validateSamples(draft, samples), true);
  return { actions, document: draft, before, after };
}

function validateSamples(
  document: OpenApiDocument,
  samples: readonly RouteSample[],
): ResponseValidationReport {
  const validator = createResponseValidator(document);
  const stats = new ResponseFindingStats();
  const routes = new Map(runSteps(readServedApi(document)).routes.map((route) => [route.pattern, route]));
  for (const sample of samples) {
    const current = routes.get(sample.route)?.operations.get(sample.operation.method);
    const operation = current ?? sample.operation;
    stats.record(findingsLabel(sample.operation, sample.context), validator({ ...sample, operation }));
  }
  return stats.report();
}

const TYPE_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set([
  ...(['null', 'empty-array-for-object', 'string-for-number', 'type'] as const),
]);

function widenSchemas(
  document: JsonObject,
  report: ResponseValidationReport,
  addsProperties: boolean,
): readonly OverlayAction[] {
  const bySchema = groupBy(listSchemaFindings(report), ({ schema }) => schema);
  return [...bySchema].flatMap(([pointer, findings]) => {
    const target = locatePointer(document, pointer);
    if (target === null || !isJsonObject(target.value)) return [];
    const { location: at, value: schema } = target;
    const kindOf = ({ kind }: SchemaFinding) =>
      TYPE_FINDINGS.has(kind) ? 'type' : kind === 'missing' || kind === 'extra' ? kind : 'keyword';
    const {
      extra = [],
      keyword = [],
      missing = [],
      type = [],
    } = Object.fromEntries(groupBy(findings, kindOf));
    return [
      ...widenTypes(at, schema, type),
      ...(addsProperties ? addProperties(at, extra) : []),
      ...relaxRequired(at, missing),
      ...dropKeywords(at, schema, keyword),
    ];
  });
}

function widenTypes(
  at: JsonLocation,
  schema: JsonObject,
  evidence: readonly SchemaFinding[],
): readonly OverlayAction[] {
  if (evidence.length === 0) return [];
  const { $ref, type } = schema;
  const found = new Set(
    evidence.map(({ kind, actual }) => (kind === 'empty-array-for-object' ? 'empty array' : actual)),
  );
  if (found.has('array')) found.delete('empty array');
  const seen = [...found].sort();
  const types = seen.map((item) => (item === 'empty array' ? 'array' : item)).sort();
  const alternatives = seen.map(
    (item): Json => (item === 'empty array' ? { type: 'array', maxItems: 0 } : { type: item }),
  );
  const reason = [`Also ${seen.join(', ')}.`, observe(evidence)] as const;
  const combinator = evidence.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')?.keyword;
  if (typeof $ref === 'string') {
    // The schema can be correct for other references, so the reference becomes one alternative.
    return [
      createAction([...at, '$ref'], null, ...reason),
      createAction(at, { anyOf: [{ $ref }, ...alternatives] }, ...reason),
    ];
  }
  if (combinator !== undefined && Array.isArray(schema[combinator])) {
    return [createAction(at, { [combinator]: alternatives }, ...reason)];
  }
  const isOfItems = evidence.every(
    ({ actual, kind, responses, validated }) =>
      kind === 'type' && actual === 'array' && responses === validated,
  );
  if (isOfItems && type === 'object' && schema['properties'] !== undefined) {
    // CoCart states the object of each product for the list of products.
    const items = Object.entries(schema).filter(([name]) => ITEM_KEYWORDS.test(name));
    return [
      ...items.map(([name]) => createAction([...at, name], null, ...reason)),
      createAction(at, { type: 'array', items: Object.fromEntries(items) }, ...reason),
    ];
  }
  const currentTypes = Array.isArray(type) ? type : [type ?? null].filter((item) => item !== null);
  const change: JsonObject = {
    type: Array.isArray(type) ? types : [...currentTypes, ...types],
    ...(found.has('empty array') && !Object.hasOwn(schema, 'maxItems') ? { maxItems: 0 } : {}),
    ...(found.has('null') && Array.isArray(schema['enum']) ? { enum: [null] } : {}),
  };
  // An update appends to a list but can't turn a string into one (Overlay 1.1, Action Object).
  return [
    ...(typeof type === 'string' ? [createAction([...at, 'type'], null, ...reason)] : []),
    createAction(at, change, ...reason),
  ];
}

const ITEM_KEYWORDS = /^(?:type|properties|required|additionalProperties)$/;

function addProperties(at: JsonLocation, evidence: readonly SchemaFinding[]): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, ({ name }) => name)).map(([name, group]) => {
    // `*` stands for a name that is data.
    const change = name === '*' ? { additionalProperties: {} } : { properties: { [name]: {} } };
    return createAction(at, change, `Also a property ${name}.`, observe(group));
  });
}

function relaxRequired(at: JsonLocation, evidence: readonly SchemaFinding[]): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, (finding) => finding.name)).map(([name, group]) =>
    createAction(toListItemPath([...at, 'required'], name), null, `${name} may be missing.`, observe(group)),
  );
}

function dropKeywords(
  at: JsonLocation,
  schema: JsonObject,
  evidence: readonly SchemaFinding[],
): readonly OverlayAction[] {
  return sortByKey(groupBy(evidence, ({ keyword }) => keyword)).flatMap(([keyword, group]) => {
    const before = schema[keyword];
    if (before === undefined) return [];
    const reason = [`Not held to ${keyword}.`, observe(group)] as const;
    const removal = createAction([...at, keyword], null, ...reason);
    return keyword === 'oneOf' && Array.isArray(before)
      ? [removal, createAction(at, { anyOf: before }, ...reason)]
      : [removal];
  });
}

function observe(findings: readonly SchemaFinding[]) {
  return findings.map(({ kind, actual, responses, validated, operations }) => {
    return { kind, actual, responses, of: validated, operations: [...operations] };
  });
}

interface SchemaFinding extends Pick<ResponseFinding, 'kind' | 'actual' | 'keyword' | 'schema'> {
  readonly name: string;
  readonly responses: number;
  readonly validated: number;
  readonly operations: readonly string[];
}

function listSchemaFindings({ operations }: ResponseValidationReport): readonly SchemaFinding[] {
  const all = operations.flatMap(({ findings, operation, validated }) =>
    findings.map(({ pointer, ...finding }) => ({
      ...finding,
      validated,
      operation,
      name:
        finding.kind === 'missing' || finding.kind === 'extra'
          ? unescapePointerToken(pointer.slice(pointer.lastIndexOf('/') + 1))
          : '',
    })),
  );
  const bySchema = groupBy(all, ({ actual, keyword, kind, name, schema }) =>
    [schema, kind, actual, keyword, name].join('\n'),
  );
  return sortByKey(bySchema).map(([, group]) => {
    // A finding in several places of one response counts once.
    const most = [...groupBy(group, ({ operation }) => operation).values()].map((places) =>
      places.reduce((one, other) => (other.responses > one.responses ? other : one)),
    );
    return {
      ...group[0],
      responses: most.reduce((sum, { responses }) => sum + responses, 0),
      validated: most.reduce((sum, { validated }) => sum + validated, 0),
      operations: most.map(({ operation }) => operation).sort(),
    };
  });
}
