import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { dereference } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { contentSchemaOf } from '../../openapi/schema-view.ts';
import { countStatuses, FORCED_VARIANT, type SeenResponses } from '../../validation/shapes/index.ts';
import { listDocumentOperations, type OperationEntry } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { REQUIRED_EVIDENCE } from './create-schema.ts';
import { resourceNames, shareOfNames } from './similarity.ts';

/** Share of common names from which the responses are the resource. */
const LEAST_SHARE = 0.75;

/**
 * Creates the actions that leave one alternative of the response to `DELETE`: the confirmation of a deletion for good, or
 * the resource, if no response was the other. Operations with the parameter `force` may send both.
 */
export function decideDeletions(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  return listDocumentOperations(document).flatMap((operation) => {
    if (operation.method !== 'DELETE' || operation.isAlternative || hasForce(operation.content)) return [];
    const seen = shapes.filter(({ method, route }) => method === 'DELETE' && route === operation.route);
    const responses = seen.reduce((sum, response) => sum + countStatuses(response), 0);
    return responses < REQUIRED_EVIDENCE ? [] : narrowResponses(document, operation, seen, responses);
  });
}

function hasForce({ parameters }: JsonObject): boolean {
  return jsonItems(parameters).some((each) => isJsonObject(each) && each['name'] === 'force');
}

function narrowResponses(
  document: OpenApiDocument,
  { content, id, location }: OperationEntry,
  seen: readonly SeenResponses[],
  responses: number,
): readonly OverlayAction[] {
  return jsonMembers(content['responses']).flatMap(([status, response]): OverlayAction[] => {
    const schema = contentSchemaOf(response);
    const alternatives = isJsonObject(schema) ? jsonItems(schema['anyOf']) : [];
    if (!/^2\d\d$/.test(status) || alternatives.length !== 2) return [];
    const kept = alternatives.find((each) => seen.every((shape) => isOf(shape, each, document)));
    if (!isJsonObject(kept)) return [];
    const action = createInferenceAction(
      [...location, 'responses', status, 'content', 'application/json'],
      { schema: kept },
      'Every deletion had this response.',
      { kind: 'inferred', responses, operations: [id] },
    );
    // An update adds members to an object, so the alternatives are removed first (Overlay 1.1, Action Object).
    const remove: OverlayAction = {
      target: `${action.target}.schema`,
      description: action.description,
      remove: true,
      [EXTENSION_NAMES.evidence]: action[EXTENSION_NAMES.evidence],
    };
    return [remove, action];
  });
}

/** Whether responses are of an alternative: the confirmation of a deletion (`openapi/responses.ts`), or the resource. */
function isOf({ shape, variant }: SeenResponses, alternative: Json, document: JsonObject): boolean {
  const { properties } = dereference(alternative, document) ?? {};
  const names = new Set(
    jsonMembers(properties).flatMap(([name]) => (name === '_links' || name === '_embedded' ? [] : [name])),
  );
  const isConfirmation = names.size === 2 && names.has('deleted') && names.has('previous');
  if (isConfirmation || variant === FORCED_VARIANT) return isConfirmation && variant === FORCED_VARIANT;
  return shape.objects !== null && shareOfNames(resourceNames(shape.objects), names) >= LEAST_SHARE;
}
