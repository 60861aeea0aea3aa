import { isJsonObject, type JsonObject, jsonMembers } from '../json.ts';
import type { Operation, Parameter } from '../openapi/index.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';

/** The site's route pattern; the path if the document states none. */
export function routeOf({ path, pattern }: Operation): string {
  return pattern ?? path;
}

/** Whether the document describes the successful response of an operation, if only as one without content. */
export function isTyped({ isAlternative, object }: Operation): boolean {
  if (isAlternative) return isStatement(object['response']);
  return jsonMembers(object['responses']).some(([status, response]) => {
    if (!/^2(?:\d\d|XX)$/.test(status) || !isJsonObject(response)) return false;
    if (status === '204') return true;
    return '$ref' in response || isStatement(contentSchemaOf(response)) || isFile(response);
  });
}

/** Whether a response has a media type that is not JSON, which says what it is. */
function isFile({ content }: JsonObject): boolean {
  return jsonMembers(content).some(([mediaType]) => !/[/+]json\b/.test(mediaType));
}

/** Whether a schema states anything about a value. */
export function isStatement(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.keys(schema).some((keyword) => !SILENT_KEYWORDS.test(keyword));
}

const SILENT_KEYWORDS =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*|\$comment)$/;

export function findContextParameter({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, name }) => place === 'query' && name === 'context');
}

/** Findings are counted separately for each context, because each has its own component. @param context `null` for the default */
export function findingsLabel({ id }: Operation, context: string | null): string {
  return context === null ? id : `${id}?context=${context}`;
}

/** The context of a response without the parameter: `view`, unless the site states another. */
export function getDefaultContext(operation: Operation): string {
  const declared = findContextParameter(operation)?.schema['default'];
  return typeof declared === 'string' ? declared : 'view';
}
