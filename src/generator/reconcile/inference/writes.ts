import { getContexts } from '../../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../../base/json.ts';
import { dereference } from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../../openapi/index.ts';
import { isTyped } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';

const UPDATES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** `WP_REST_Controller`: a change or creation returns the item, a deletion the item or its confirmation. */
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
    // A single resource, such as settings, can be changed at its path.
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
  const declared = read.responseSchema;
  if (declared === undefined) return undefined;
  const { items, type } = declared;
  const unit = type === 'array' ? items : declared;
  const item = isJsonObject(unit) && isItem === (type !== 'array') ? unit : undefined;
  if (item === undefined || !isResource(item, document)) return undefined;
  // WordPress returns a written item in the context `edit`.
  const inEdit = getContexts(read.object).get('edit');
  const written = inEdit === undefined ? item : { $ref: inEdit };
  if (isItem ? UPDATES.has(method) : method === 'POST') return written;
  if (method !== 'DELETE' || !isItem) return undefined;
  // A permanently deleted item has no links (`WP_REST_Posts_Controller::delete_item()`).
  const properties = { deleted: { const: true }, previous: { anyOf: [written, { type: 'object' }] } };
  return { anyOf: [{ type: 'object', properties, required: ['deleted', 'previous'] }, written] };
}

function isResource(schema: JsonObject, document: JsonObject): boolean {
  const { properties } = dereference(schema, document) ?? {};
  return jsonMembers(properties).length > 1;
}

const DESCRIPTION =
  'No response was seen. Inferred by convention: a write returns the item as the GET operation of the path does.';

function createAction(operation: Operation, schema: JsonObject): OverlayAction {
  const { id, location, method, object: content, path } = operation;
  const response = { description: DESCRIPTION, content: { 'application/json': { schema } } };
  const declared = jsonMembers(content['responses']).map(([status]) => status);
  const known = declared.filter((status) => /^2\d\d$/.test(status) && status !== '204');
  const usual = method === 'POST' && !path.endsWith('}') ? ['200', '201'] : ['200'];
  const statuses = [...new Set([...known, ...usual])].sort();
  return createInferenceAction(
    [...location, 'responses'],
    Object.fromEntries(statuses.map((status): [string, Json] => [status, response])),
    DESCRIPTION,
    { kind: 'convention', responses: 0, operations: [id] },
  );
}
