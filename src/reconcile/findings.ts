import type { ResponseFindingKind, JsonType, ResponseReport } from '../validation/response/index.ts';

/** What was seen at one schema of the document, in the answers of all operations that refer to it. */
export interface SchemaFinding {
  readonly kind: ResponseFindingKind;
  readonly saw: JsonType | 'nothing';
  readonly keyword: string;
  /** The property that it is about, where it is about one of an object's. */
  readonly name: string;
  readonly answers: number;
  /** How many answers of these operations were judged. */
  readonly of: number;
  readonly operations: readonly string[];
}

export interface SchemaFindings {
  /** JSON pointer into the document. */
  readonly schema: string;
  readonly evidence: readonly SchemaFinding[];
}

/** Findings about one property of an object. */
const PROPERTY_FINDINGS: ReadonlySet<ResponseFindingKind> = new Set(['extra', 'forbidden', 'missing'] as const);

/** What operations showed, by the schema that would have to change. */
export function groupFindingsBySchema({ operations }: ResponseReport): readonly SchemaFindings[] {
  const schemas = new Map<string, Map<string, SchemaFinding>>();
  for (const { findings, judged, operation } of operations) {
    // One operation may refer to a schema in several places: an answer that shows it in two counts once.
    const own = new Map<string, { readonly evidence: SchemaFinding; readonly schema: string }>();
    for (const { answers, keyword, kind, pointer, saw, schema } of findings) {
      const name = PROPERTY_FINDINGS.has(kind) ? lastToken(pointer) : '';
      const key = [schema, kind, saw, keyword, name].join('\n');
      const most = Math.max(answers, own.get(key)?.evidence.answers ?? 0);
      const evidence = { kind, saw, keyword, name, answers: most, of: judged, operations: [operation] };
      own.set(key, { evidence, schema });
    }
    for (const [key, { evidence, schema }] of own) {
      const known = schemas.get(schema) ?? new Map<string, SchemaFinding>();
      schemas.set(schema, known.set(key, addCounts(known.get(key), evidence)));
    }
  }
  return [...schemas]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([schema, evidence]) => ({ schema, evidence: [...evidence.values()] }));
}

function addCounts(before: SchemaFinding | undefined, evidence: SchemaFinding): SchemaFinding {
  if (before === undefined) return evidence;
  return {
    ...evidence,
    answers: before.answers + evidence.answers,
    of: before.of + evidence.of,
    operations: [...before.operations, ...evidence.operations].sort(),
  };
}

function lastToken(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
