import { getContexts } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { dereference } from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../../openapi/index.ts';
import { contentSchemaOf } from '../../openapi/schema-view.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import { isTyped } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { countResponses, FORCED_VARIANT, listResponses, type SeenResponses } from '../seen-responses.ts';
import { REQUIRED_EVIDENCE } from './create-schema.ts';
import { createDeletionSchema } from './infer-responses.ts';
import { resourceNames, shareOfNames } from './shape-comparison.ts';

const UPDATES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Creates the actions that describe writes of which no response was seen, by the convention of `WP_REST_Controller`: a change
 * returns the item as its `GET` does, a creation the item of the collection, and a deletion the item or its confirmation.
 * Their descriptions say that they are inferred.
 */
export function describeConventionalWrites(document: OpenApiDocument): readonly OverlayAction[] {
  const operations = listRouteOperations(document).filter(({ isAlternative }) => !isAlternative);
  const reads = new Map(operations.filter(({ method }) => method === 'GET').map((each) => [each.path, each]));
  const changed = new Set(
    operations.filter(({ method }) => method === 'PUT' || method === 'PATCH').map(({ path }) => path),
  );
  return operations.flatMap((operation) => {
    const { path } = operation;
    const read = reads.get(path);
    if (read === undefined || isTyped(operation)) return [];
    // A resource that a site has once, such as its settings, can be changed at its path.
    const isItem = path.endsWith('}') || changed.has(path);
    const schema = createConventionalSchema(operation.method, isItem, read, document);
    return schema === undefined ? [] : [createAction(operation, schema)];
  });
}

function createConventionalSchema(
  method: string,
  isItem: boolean,
  read: Operation,
  document: OpenApiDocument,
): JsonObject | undefined {
  const stated = read.responseSchema;
  if (stated === undefined) return undefined;
  const { items, type } = stated;
  const unit = type === 'array' ? items : stated;
  const item = isJsonObject(unit) && isItem === (type !== 'array') ? unit : undefined;
  if (item === undefined || !isResource(item, document)) return undefined;
  // WordPress returns a written item in the context `edit`.
  const inEdit = getContexts(read.object).get('edit');
  const written = inEdit === undefined ? item : { $ref: inEdit };
  if (isItem ? UPDATES.has(method) : method === 'POST') return written;
  if (method !== 'DELETE' || !isItem) return undefined;
  return { anyOf: [createDeletionSchema({ anyOf: [written, { type: 'object' }] }), written] };
}

/** Whether a schema describes an object with members. */
function isResource(schema: JsonObject, document: JsonObject): boolean {
  const { properties } = dereference(schema, document) ?? {};
  return jsonMembers(properties).length > 1;
}

const DESCRIPTION =
  'No response was seen. Inferred by convention: a write returns the item as the GET operation of the path does.';

function createAction(operation: Operation, schema: JsonObject): OverlayAction {
  const { id, location, method, object: content, path } = operation;
  const response = { description: DESCRIPTION, content: { 'application/json': { schema } } };
  const stated = jsonMembers(content['responses']).map(([status]) => status);
  const known = stated.filter((status) => /^2\d\d$/.test(status) && status !== '204');
  const usual = method === 'POST' && !path.endsWith('}') ? ['200', '201'] : ['200'];
  const statuses = [...new Set([...known, ...usual])].sort();
  return createInferenceAction(
    [...location, 'responses'],
    Object.fromEntries(statuses.map((status): [string, Json] => [status, response])),
    DESCRIPTION,
    { kind: 'convention', responses: 0, operations: [id] },
  );
}

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
  return listRouteOperations(document).flatMap((operation): OverlayAction[] => {
    const { id, isAlternative, location, method, object: content, parameterObjects } = operation;
    const hasForce = parameterObjects.some(({ name }) => name === 'force');
    const [seen, ...others] = listResponses(operation, shapes);
    if (method !== 'DELETE' || isAlternative || hasForce || seen === undefined || others.length > 0)
      return [];
    const responses = countResponses([seen]);
    if (responses < REQUIRED_EVIDENCE) return [];
    return jsonMembers(content['responses']).flatMap(([status, response]): OverlayAction[] => {
      const schema = contentSchemaOf(response);
      const alternatives = isJsonObject(schema) ? jsonItems(schema['anyOf']) : [];
      const kept = alternatives.find((each) => isOf(seen, each, document));
      if (!/^2\d\d$/.test(status) || alternatives.length !== 2 || kept === undefined) return [];
      const at = [...location, 'responses', status, 'content', 'application/json'];
      const evidence = { kind: 'inferred', responses, operations: [id] } as const;
      const action = createInferenceAction(
        at,
        { schema: kept },
        'Every deletion had this response.',
        evidence,
      );
      // An update adds members to an object, so the alternatives are removed first (Overlay 1.1, Action Object).
      const { update: _, ...rest } = action;
      return [{ ...rest, target: `${action.target}.schema`, remove: true }, action];
    });
  });
}

/** Whether responses are of an alternative: the confirmation of a deletion (`openapi/responses.ts`), or the resource. */
function isOf({ shape, variant }: SeenResponses, alternative: Json, document: JsonObject): boolean {
  const { properties } = dereference(alternative, document) ?? {};
  const names = new Set(jsonMembers(properties).flatMap(([name]) => (HAL_MEMBERS.has(name) ? [] : [name])));
  if (variant === FORCED_VARIANT) return names.size === 2 && names.has('deleted') && names.has('previous');
  return shape.objects !== null && shareOfNames(resourceNames(shape.objects), names) >= LEAST_SHARE;
}
