import type { OpenApiDocument } from '../openapi/index.ts';
import type { ResponseValidationReport } from '../validation/response/validator.ts';
import type { SeenResponses } from '../validation/shapes/response-shapes.ts';
import type { OverlayOutcome } from './create-overlay.ts';
import {
  countAllResponses,
  isTyped,
  listDocumentOperations,
  type OperationEntry,
} from './document-operations.ts';
import type { SampleCounts, SampleResult } from './sample.ts';

/** The counts of the sample, the findings, and the number of actions in the overlay. */
export interface ReconcileReport extends ResponseValidationReport, SampleCounts {
  readonly format: 1;
  readonly site: string;
  /** Number of actions in the overlay. */
  readonly actions: number;
  /** Operations of the document by whether their response is described. */
  readonly typed: { readonly before: OperationCounts; readonly after: OperationCounts };
  /** The sampled responses, before and after the overlay is applied. */
  readonly sampled: { readonly before: ResponseCounts; readonly after: ResponseCounts };
  /** Number of responses that a gateway has seen. */
  readonly gatewayResponses: number;
  /** Operations without a description of their response after the overlay is applied. */
  readonly untyped: readonly UntypedOperationReport[];
  /** Operations whose responses still have findings after the overlay is applied; normally none. */
  readonly remaining: ResponseValidationReport['operations'];
}

/** Numbers of operations whose response the document describes. */
export interface OperationCounts {
  readonly operations: number;
  readonly described: number;
  /** `GET` operations. */
  readonly reads: number;
  readonly describedReads: number;
}

/** Numbers of sampled responses. */
export interface ResponseCounts {
  readonly responses: number;
  /** With a schema in the document. */
  readonly described: number;
  /** Without a finding of severity `wrong`. */
  readonly correct: number;
}

/** An operation whose response the document does not describe. */
export interface UntypedOperationReport {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** A status, the reason of a failure, or why no request was sent. `not-json`: the response is something else. */
  readonly reason: string;
}

/** @param given shapes of responses that a gateway has seen */
export function createReconcileReport(
  site: string,
  document: OpenApiDocument,
  given: readonly SeenResponses[],
  sample: SampleResult,
  outcome: OverlayOutcome,
): ReconcileReport {
  const { responses, ...counts } = sample;
  const { actions, after, before } = outcome;
  return {
    format: 1,
    site,
    ...counts,
    ...before,
    actions: actions.length,
    typed: { before: countTyped(document), after: countTyped(outcome.document) },
    sampled: {
      before: countResponses(responses.length, before),
      after: countResponses(responses.length, after),
    },
    gatewayResponses: countAllResponses(given),
    untyped: listDocumentOperations(outcome.document)
      .filter((operation) => !isTyped(operation))
      .map((operation) => describeUntyped(operation, sample)),
    remaining: after.operations.filter(({ findings }) => findings.length > 0),
  };
}

function countTyped(document: OpenApiDocument): OperationCounts {
  const operations = listDocumentOperations(document);
  const reads = operations.filter(({ method }) => method === 'GET');
  return {
    operations: operations.length,
    described: operations.filter(isTyped).length,
    reads: reads.length,
    describedReads: reads.filter(isTyped).length,
  };
}

function countResponses(
  responses: number,
  { operations, validated }: ResponseValidationReport,
): ResponseCounts {
  return {
    responses,
    described: validated,
    correct: operations.reduce((sum, { correct }) => sum + correct, 0),
  };
}

function describeUntyped(
  { id, method, path }: OperationEntry,
  { refusedOperations, responses, skippedOperations }: SampleResult,
): UntypedOperationReport {
  const described = { operation: id, method, path };
  if (method !== 'GET') return { ...described, reason: 'not-seen' };
  const refused = Object.hasOwn(refusedOperations, id) ? refusedOperations[id] : undefined;
  const skipped = skippedOperations.find(({ operation }) => operation === id)?.reason;
  const seen = responses.some(({ operation }) => operation.id === id) ? 'not-json' : 'not-seen';
  return { ...described, reason: refused ?? skipped ?? seen };
}
