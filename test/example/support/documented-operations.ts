import { isJsonObject, type Json, type JsonObject } from '../../../src/json.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** The schemas of the parameters of an operation, by name, in the path, the query and the body. */
type ParameterSchemas = ReadonlyMap<string, JsonObject>;

/** The operations of a document with their parameters: `GET /core/v2/posts` → `per_page` → its schema. */
export function readDocumentedOperations(document: JsonObject): ReadonlyMap<string, ParameterSchemas> {
  const operations = new Map<string, ParameterSchemas>();
  for (const [path, item] of Object.entries(toObject(document['paths']))) {
    for (const [method, operation] of Object.entries(toObject(item))) {
      if (!METHODS.has(method)) continue;
      operations.set(`${method.toUpperCase()} ${path}`, readParameterSchemas(toObject(operation), document));
    }
  }
  return operations;
}

function readParameterSchemas(operation: JsonObject, document: JsonObject): ParameterSchemas {
  const found = new Map<string, JsonObject>();
  for (const each of toList(operation['parameters'])) {
    const parameter = toObject(resolve(each, document));
    const schema = toObject(deepResolve(parameter['schema'], document));
    found.set(
      String(parameter['name']),
      parameter['required'] === true ? { ...schema, required: true } : schema,
    );
  }
  for (const media of Object.values(toObject(toObject(operation['requestBody'])['content']))) {
    const body = toObject(deepResolve(toObject(media)['schema'], document));
    // A form with a file has its fields in one part, and the file in another.
    for (const part of [body, ...toList(body['allOf']).map(toObject)]) {
      const required = toList(part['required']);
      for (const [name, schema] of Object.entries(toObject(part['properties']))) {
        found.set(name, required.includes(name) ? { ...toObject(schema), required: true } : toObject(schema));
      }
    }
  }
  return found;
}

/** Resolves a `$ref`. Other values are returned unchanged. */
export function resolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const reference = toObject(value)['$ref'];
  if (typeof reference !== 'string') return value;
  let found: Json | undefined = document;
  for (const step of reference.slice(2).split('/')) found = toObject(found)[step];
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

export function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
