import { sortByKey } from '../../../base/group-by.ts';
import { NULL_BODY_STATUSES } from '../../../base/http/exchange.ts';
import { fieldValue, parseMediaType } from '../../../base/http/fields.ts';
import { type Json, type JsonObject, parseJson } from '../../../base/json.ts';
import { getOrCreate } from '../../../base/memoize.ts';
import { replaceReferences } from '../../openapi/document-objects.ts';
import type { Operation } from '../../openapi/index.ts';
import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  keyOfFinding,
  type ResponseFinding,
  type ResponseFindingKind,
  SchemaRegistry,
} from './schema.ts';

export interface SampledResponse {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly context: string | null;
}

export type ResponseValidationResult =
  | { readonly kind: 'validated'; readonly findings: readonly ResponseFinding[] }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** `status`: an error, a redirect, or no body. `malformed`: the media type is JSON, but the body is not. */
export type SkipReason = 'no-schema' | 'status' | 'not-json' | 'malformed' | 'too-costly';

export function createResponseValidator(
  document: JsonObject,
): (response: SampledResponse) => ResponseValidationResult {
  const schemas = new SchemaRegistry(document);
  return ({ body, context, headers, operation, status }) => {
    const { responseSchema } = operation;
    if (responseSchema === undefined) return skip('no-schema');
    // A 206 has a part of the representation, and a 226 a difference of two.
    const hasNoValue =
      status < 200 || status >= 300 || [206, 226].includes(status) || NULL_BODY_STATUSES.has(status);
    if (hasNoValue) return skip('status');
    const { essence } = parseMediaType(fieldValue(headers, 'content-type') ?? null);
    if (!/^application\/(?:[\w.-]+\+)?json$/.test(essence)) return skip('not-json');
    const value = parseJson(body);
    if (value === undefined) return skip('malformed');
    const schema = inContext(operation, responseSchema, context);
    const pointer = operation.responsePointer ?? `/${operation.id}`;
    const findings = schemas.collectFindings(value, schemas.read(schema, pointer));
    return findings === undefined ? skip('too-costly') : { kind: 'validated', findings };
  };
}

function inContext({ contextReferences }: Operation, response: JsonObject, context: string | null): Json {
  const wanted = context === null ? undefined : contextReferences?.get(context);
  if (wanted === undefined) return response;
  return replaceReferences(response, new Set(contextReferences?.values()), wanted);
}

function skip(reason: SkipReason): ResponseValidationResult {
  return { kind: 'skipped', reason };
}

export interface ResponseValidationReport {
  readonly validated: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly operations: readonly OperationFindings[];
}

export interface OperationFindings {
  readonly operation: string;
  readonly validated: number;
  readonly correct: number;
  readonly findings: readonly CountedFinding[];
}

export interface CountedFinding extends ResponseFinding {
  readonly kind: ResponseFindingKind;
  readonly severity: FindingSeverity;
  readonly responses: number;
}

interface OperationCounts {
  validated: number;
  correct: number;
  readonly locations: Map<string, { readonly finding: ResponseFinding; readonly responses: number }>;
}

export class ResponseFindingStats {
  readonly #operations = new Map<string, OperationCounts>();
  readonly #skipped = new Map<SkipReason, number>();

  record(operation: string, result: ResponseValidationResult): void {
    if (result.kind === 'skipped') {
      this.#skipped.set(result.reason, (this.#skipped.get(result.reason) ?? 0) + 1);
      return;
    }
    const create = () => ({ validated: 0, correct: 0, locations: new Map() });
    const counts: OperationCounts = getOrCreate(this.#operations, operation, create);
    counts.validated += 1;
    if (result.findings.every(({ kind }) => FINDING_SEVERITIES[kind] !== 'wrong')) counts.correct += 1;
    for (const finding of result.findings) {
      const key = keyOfFinding(finding);
      const { responses } = counts.locations.get(key) ?? { responses: 0 };
      counts.locations.set(key, { finding, responses: responses + 1 });
    }
  }

  report(): ResponseValidationReport {
    const operations = sortByKey(this.#operations).map(
      ([operation, { locations, ...counts }]): OperationFindings => {
        const findings = Array.from(locations.values(), ({ finding, responses }) => ({
          ...finding,
          severity: FINDING_SEVERITIES[finding.kind],
          responses,
        }));
        findings.sort(
          (one, other) => other.responses - one.responses || (one.pointer < other.pointer ? -1 : 1),
        );
        return { operation, ...counts, findings };
      },
    );
    operations.sort((one, other) => other.findings.length - one.findings.length);
    return {
      validated: operations.reduce((sum, { validated }) => sum + validated, 0),
      skipped: Object.fromEntries(sortByKey(this.#skipped)),
      operations,
    };
  }
}
