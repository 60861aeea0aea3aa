import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../base/json.ts';
import type { JsonLocation } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/index.ts';
import { toJsonPath } from '../openapi/json-path.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';

export function routeOf({ path, pattern }: Operation): string {
  return pattern ?? path;
}

export function isTyped({ isAlternative, object }: Operation): boolean {
  if (isAlternative) return isStatement(object['response']);
  return jsonMembers(object['responses']).some(([status, response]) => {
    if (!/^2(?:\d\d|XX)$/.test(status) || !isJsonObject(response)) return false;
    if (status === '204') return true;
    return '$ref' in response || isStatement(contentSchemaOf(response)) || isFile(response);
  });
}

function isFile({ content }: JsonObject): boolean {
  return jsonMembers(content).some(([mediaType]) => !/[/+]json\b/.test(mediaType));
}

export function isStatement(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.keys(schema).some((keyword) => !SILENT_KEYWORDS.test(keyword));
}

const SILENT_KEYWORDS =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*|\$comment)$/;

export function findingsLabel({ id }: Operation, context: string | null): string {
  return context === null ? id : `${id}?context=${context}`;
}

export function getDefaultContext(operation: Operation): string {
  const parameter = operation.parameters.find(
    ({ in: place, name }) => place === 'query' && name === 'context',
  );
  const declared = parameter?.schema['default'];
  return typeof declared === 'string' ? declared : 'view';
}

export interface OverlayAction extends JsonObject {
  readonly target: string;
  readonly description: string;
  readonly [EXTENSION_NAMES.evidence]: Json;
}

interface InferenceEvidence {
  readonly kind: 'inferred' | 'required';
  readonly responses: number;
  readonly operations: readonly string[];
}

export function createInferenceAction(
  at: JsonLocation,
  change: JsonObject,
  description: string,
  { kind, operations, responses }: InferenceEvidence,
): OverlayAction {
  const evidence = { kind, responses, of: responses, operations: [...new Set(operations)].sort() };
  return { target: toJsonPath(at), description, update: change, [EXTENSION_NAMES.evidence]: [evidence] };
}
