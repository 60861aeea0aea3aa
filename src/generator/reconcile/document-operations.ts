import { isJsonObject, type JsonObject, jsonMembers } from '../../base/json.ts';
import type { Operation, Parameter } from '../openapi/index.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';

export function routeOf({ path, pattern }: Operation): string {
  return pattern ?? path;
}

/** Whether the document describes a successful response, even one without content. */
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

function findContextParameter({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, name }) => place === 'query' && name === 'context');
}

/** Label of the findings in one context, each of which has its own component. */
export function findingsLabel({ id }: Operation, context: string | null): string {
  return context === null ? id : `${id}?context=${context}`;
}

/** Context of a response without the parameter; `view` by default. */
export function getDefaultContext(operation: Operation): string {
  const declared = findContextParameter(operation)?.schema['default'];
  return typeof declared === 'string' ? declared : 'view';
}
