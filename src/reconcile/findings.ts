import { unescapePointerToken } from '../json.ts';
import type {
  JsonType,
  ResponseFindingKind,
  ResponseValidationReport,
} from '../validation/response/index.ts';

/** A finding at one schema of the document. Its counts add up all operations that refer to the schema. */
export interface SchemaFinding {
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
export interface SchemaFindings {
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
  return [...schemas]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([schema, evidence]) => ({ schemaPointer: schema, findings: [...evidence.values()] }));
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
