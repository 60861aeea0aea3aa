import { applyOverlay, type OpenApiDocument, readServedApi } from '../openapi/index.ts';
import {
  ResponseFindingStats,
  type ResponseValidationReport,
  ResponseValidator,
  type SampledResponse,
} from '../validation/response/validator.ts';
import {
  ResponseShapes,
  type SeenResponses,
  toResponseShape,
  variantOf,
} from '../validation/shapes/response-shapes.ts';
import { observeValue } from '../validation/shapes/shape.ts';
import { completeSchemas } from './inference/complete-schemas.ts';
import { inferComponents } from './inference/components.ts';
import { inferResponses, LINK_REFERENCE } from './inference/infer-responses.ts';
import { findShapeFindings } from './inference/schema-places.ts';
import { separateForms } from './inference/separate-forms.ts';
import { decideDeletions, describeConventionalWrites } from './inference/writes.ts';
import type { OverlayAction } from './overlay-action.ts';
import { getDefaultContext, type RouteSample } from './sample.ts';
import { groupFindingsBySchema, widenSchema } from './widen.ts';

/** The actions that correct and complete a document, and what they achieve. */
export interface OverlayOutcome {
  readonly actions: readonly OverlayAction[];
  /** The document with the actions applied. */
  readonly document: OpenApiDocument;
  /** All shapes: of the samples and those given. */
  readonly shapes: readonly SeenResponses[];
  /** Findings in the samples before and after. */
  readonly before: ResponseValidationReport;
  readonly after: ResponseValidationReport;
}

/** Maximum number of widening rounds. The members of a type are validated only after a round has allowed the type. */
const MAX_ROUNDS = 8;

/**
 * Creates the actions of an overlay. Schemas of the document are widened until every response is valid, then completed
 * where they say too little; then responses without a schema get one.
 *
 * @param samples responses with their content
 * @param given shapes of other responses, such as a gateway keeps
 */
export function createOverlayActions(
  document: OpenApiDocument,
  samples: readonly RouteSample[],
  given: readonly SeenResponses[],
): OverlayOutcome {
  const shapes = mergeAllShapes(samples, given);
  const before = validateSamples(document, samples);
  const draft = new OverlayDraft(document);
  // Undeclared properties are added below, with the schemas of their values.
  draft.widen((content) => withoutExtra(validateSamples(content, samples)), withoutExtra(before));
  draft.widen((content) => findShapeFindings(content, shapes));
  draft.apply(decideDeletions(draft.document, shapes));
  draft.apply(separateForms(draft.document, shapes));
  const { options } = inferComponents([], draft.document, LINK_REFERENCE);
  draft.apply(completeSchemas(draft.document, shapes, options));
  draft.apply(inferResponses(draft.document, shapes));
  // What was inferred matches all responses by construction. A component that several places share may need more.
  draft.widen((content) => findShapeFindings(content, shapes));
  const after = draft.widen((content) => validateSamples(content, samples));
  if (shapes.length > 0) draft.apply(describeConventionalWrites(draft.document));
  return { actions: draft.actions, document: draft.document, shapes, before, after };
}

/** The findings of a report except undeclared properties. */
function withoutExtra(report: ResponseValidationReport): ResponseValidationReport {
  return {
    ...report,
    operations: report.operations.map((operation) => ({
      ...operation,
      findings: operation.findings.filter(({ kind }) => kind !== 'extra'),
    })),
  };
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

  /** Widens schemas until no finding is left that an action could remove. Returns the last findings. */
  widen(
    validate: (document: OpenApiDocument) => ResponseValidationReport,
    current: ResponseValidationReport = validate(this.document),
  ): ResponseValidationReport {
    let report = current;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = groupFindingsBySchema(report).flatMap((findings) => widenSchema(this.document, findings));
      if (next.length === 0) break;
      this.apply(next);
      report = validate(this.document);
    }
    return report;
  }
}

function mergeAllShapes(
  samples: readonly RouteSample[],
  given: readonly SeenResponses[],
): readonly SeenResponses[] {
  const merged = new ResponseShapes();
  for (const { content, operation, requested, route, status } of samples) {
    // Content that is not JSON has no schema.
    if (content === undefined) continue;
    const context = requested.context === getDefaultContext(operation) ? null : requested.context;
    const { method } = operation;
    const key = { method, route, variant: variantOf(method, context, content) };
    merged.add(toResponseShape(key, status, observeValue(content, { keepsWords: true })));
  }
  for (const shape of given) merged.add(shape);
  return merged.list();
}

function validateSamples(
  document: OpenApiDocument,
  samples: readonly SampledResponse[],
): ResponseValidationReport {
  const validator = new ResponseValidator(document);
  const stats = new ResponseFindingStats();
  const current = operationsByKey(document);
  for (const sample of samples) {
    const operation = current.get(operationKey(sample.operation)) ?? sample.operation;
    stats.record(findingsLabel(sample), validator.validate({ ...sample, operation }));
  }
  return stats.report();
}

/** Findings are counted separately for each context, because each has its own component. */
function findingsLabel({ requested: { context }, operation }: SampledResponse): string {
  return context === null ? operation.id : `${operation.id}?context=${context}`;
}

/** Returns the operations of the changed document by key. An action may have changed the schema of a response. */
function operationsByKey(document: OpenApiDocument): ReadonlyMap<string, SampledResponse['operation']> {
  const operations = readServedApi(document).routes.flatMap((route) => [...route.operations.values()]);
  return new Map(operations.map((operation) => [operationKey(operation), operation]));
}

function operationKey({ id, method, path }: SampledResponse['operation']): string {
  return `${method} ${path} ${id}`;
}
