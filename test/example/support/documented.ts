import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** What a document says of the parameters of an operation, wherever they are sent: schemas by name. */
export type Documented = ReadonlyMap<string, JsonObject>;

/** The operations of a document with their parameters: `GET /core/v2/posts` → `per_page` → its schema. */
export function documentedOperations(document: JsonObject): ReadonlyMap<string, Documented> {
  const operations = new Map<string, Documented>();
  for (const [path, item] of Object.entries(object(document['paths']))) {
    for (const [method, operation] of Object.entries(object(item))) {
      if (!METHODS.has(method)) continue;
      operations.set(`${method.toUpperCase()} ${path}`, parametersOf(object(operation), document));
    }
  }
  return operations;
}

function parametersOf(operation: JsonObject, document: JsonObject): Documented {
  const found = new Map<string, JsonObject>();
  for (const each of list(operation['parameters'])) {
    const parameter = object(resolve(each, document));
    const schema = object(deepResolve(parameter['schema'], document));
    found.set(
      String(parameter['name']),
      parameter['required'] === true ? { ...schema, required: true } : schema,
    );
  }
  for (const media of Object.values(object(object(operation['requestBody'])['content']))) {
    const body = object(deepResolve(object(media)['schema'], document));
    const required = list(body['required']);
    for (const [name, schema] of Object.entries(object(body['properties']))) {
      found.set(name, required.includes(name) ? { ...object(schema), required: true } : object(schema));
    }
  }
  return found;
}

/** What a reference stands for; anything else as it is. */
export function resolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const reference = object(value)['$ref'];
  if (typeof reference !== 'string') return value;
  let found: Json | undefined = document;
  for (const step of reference.slice(2).split('/')) found = object(found)[step];
  return found;
}

function deepResolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const found = resolve(value, document);
  if (Array.isArray(found)) return found.map((item) => deepResolve(item, document) ?? null);
  if (!isJsonObject(found)) return found;
  return Object.fromEntries(
    Object.entries<Json>(found).map(([name, member]) => [name, deepResolve(member, document) ?? null]),
  );
}

export function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
