import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { JsonLocation } from '../openapi/document-references.ts';
import { toJsonPath } from '../openapi/json-path.ts';

export interface OverlayAction extends JsonObject {
  readonly target: string;
  readonly description: string;
  readonly [EXTENSION_NAMES.evidence]: Json;
}

interface InferenceEvidence {
  /** `convention`: no response was seen. */
  readonly kind: 'inferred' | 'required' | 'convention';
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
