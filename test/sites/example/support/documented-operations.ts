import { readFileSync } from 'node:fs';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  toJsonObject,
} from '../../../../src/base/json.ts';
import { resolveReference } from '../../../../src/generator/openapi/index.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** The schemas of the parameters of an operation, by name, in the path, the query and the body. */
type ParameterSchemas = ReadonlyMap<string, JsonObject>;

/** The operations of a document with their parameters: `GET /core/v2/posts` → `per_page` → its schema. */
export function readDocumentedOperations(document: JsonObject): ReadonlyMap<string, ParameterSchemas> {
  const operations = new Map<string, ParameterSchemas>();
  for (const [path, item] of Object.entries(toJsonObject(document['paths']))) {
    for (const [method, operation] of Object.entries(toJsonObject(item))) {
      if (!METHODS.has(method)) continue;
      operations.set(
        `${method.toUpperCase()} ${path}`,
        readParameterSchemas(toJsonObject(operation), document),
      );
    }
  }
  return operations;
}

function readParameterSchemas(operation: JsonObject, document: JsonObject): ParameterSchemas {
  const found = new Map<string, JsonObject>();
  for (const each of jsonItems(operation['parameters'])) {
    const parameter = toJsonObject(resolve(each, document));
    const schema = toJsonObject(deepResolve(parameter['schema'], document));
    found.set(
      String(parameter['name']),
      parameter['required'] === true ? { ...schema, required: true } : schema,
    );
  }
  for (const media of Object.values(toJsonObject(toJsonObject(operation['requestBody'])['content']))) {
    const body = toJsonObject(deepResolve(toJsonObject(media)['schema'], document));
    // A form with a file has its fields in one part, and the file in another.
    for (const part of [body, ...jsonItems(body['allOf']).map(toJsonObject)]) {
      const required = jsonItems(part['required']);
      for (const [name, schema] of Object.entries(toJsonObject(part['properties']))) {
        found.set(
          name,
          required.includes(name) ? { ...toJsonObject(schema), required: true } : toJsonObject(schema),
        );
      }
    }
  }
  return found;
}

/** Resolves a `$ref`. Other values are returned unchanged. */
export function resolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const reference = toJsonObject(value)['$ref'];
  if (typeof reference !== 'string') return value;
  return resolveReference(document, reference);
}

function deepResolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const found = resolve(value, document);
  if (Array.isArray(found)) return found.map((item) => deepResolve(item, document) ?? null);
  if (!isJsonObject(found)) return found;
  return Object.fromEntries(
    Object.entries<Json>(found).map(([name, member]) => [name, deepResolve(member, document) ?? null]),
  );
}

/** The operations of the published documents of the sites: `GET /core/v2/posts/{id}`. */
export const OPERATIONS: Readonly<Record<'content' | 'boards', readonly string[]>> = {
  content: readPublished('content'),
  boards: readPublished('boards'),
};

function readPublished(name: string): readonly string[] {
  const document = readFileSync(new URL(`../../../../openapi/${name}.openapi.json`, import.meta.url), 'utf8');
  return [...readDocumentedOperations(JSON.parse(document)).keys()];
}
