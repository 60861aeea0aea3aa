import { isJsonObject, type JsonObject, jsonMembers } from '../json.ts';
import type { ReferenceResolver } from '../types/references.ts';

/** The schema of an operation's successful response. */
export interface SuccessSchema {
  /** Key in `responses`: `200`. */
  readonly status: string;
  readonly mediaType: string;
  readonly schema: JsonObject;
}

/** The JSON schema of the first 2xx response that has one; `undefined` if there is none. */
export function findSuccessSchema(
  operation: JsonObject,
  references: Pick<ReferenceResolver, 'resolve'>,
): SuccessSchema | undefined {
  for (const [status, response] of jsonMembers(operation['responses'])) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const content = references.resolve(response)?.['content'];
    for (const [mediaType, media] of jsonMembers(content)) {
      const schema = isJsonObject(media) ? media['schema'] : undefined;
      if (/^application\/(?:[\w.-]+\+)?json$/.test(mediaType) && isJsonObject(schema)) {
        return { status, mediaType, schema };
      }
    }
  }
  return undefined;
}
