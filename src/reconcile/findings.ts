import { unescapePointerToken } from '../json.ts';
import type {
  JsonType,
  ResponseFindingKind,
  ResponseValidationReport,
} from '../validation/response/index.ts';

/** A finding at one schema of the document, counted over the responses of all operations that refer to it. */
export interface SchemaFinding {
  readonly kind: ResponseFindingKind;
  /** The JSON type of the value in the response. */
  readonly saw: JsonType | 'nothing';
  readonly keyword: string;
  /** The property, if the finding is about one of an object; else empty. */
  readonly name: string;
  /** Number of responses with the finding. */
  readonly answers: number;
  /** Number of validated responses of these operations. */
  readonly of: number;
  readonly operations: readonly string[];
}

/** The findings at one schema. */
export interface SchemaFindings {
  /** JSON pointer into the document. */
  readonly schema: string;
  readonly evidence: readonly SchemaFinding[];
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
    // An operation may refer to a schema in several places: a response with the finding in two of them counts once.
    const byKey = new Map<string, { readonly evidence: SchemaFinding; readonly schema: string }>();
    for (const { responses, keyword, kind, pointer, actual, schema } of findings) {
      const name = PROPERTY_FINDINGS.has(kind) ? lastToken(pointer) : '';
      const key = [schema, kind, actual, keyword, name].join('\n');
      const count = Math.max(responses, byKey.get(key)?.evidence.answers ?? 0);
      const evidence = {
        kind,
        saw: actual,
        keyword,
        name,
        answers: count,
        of: validated,
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
    .map(([schema, evidence]) => ({ schema, evidence: [...evidence.values()] }));
}

function addCounts(total: SchemaFinding | undefined, evidence: SchemaFinding): SchemaFinding {
  if (total === undefined) return evidence;
  return {
    ...evidence,
    answers: total.answers + evidence.answers,
    of: total.of + evidence.of,
    operations: [...total.operations, ...evidence.operations].sort(),
  };
}

function lastToken(pointer: string): string {
  return unescapePointerToken(pointer.slice(pointer.lastIndexOf('/') + 1));
}
