import { isJsonObject, type JsonObject } from '../json.ts';

/** Names by schema. Equal schemas have one name. */
export interface SchemaNames {
  get(schema: JsonObject): string | undefined;
  set(schema: JsonObject, name: string): void;
  /** The schemas with their names, in the order in which they were set. */
  list(): readonly NamedSchema[];
}

interface NamedSchema {
  readonly schema: JsonObject;
  readonly name: string;
}

export function createSchemaNames(): SchemaNames {
  const schemas: NamedSchema[] = [];
  /** By the names of properties: nearly all schemas that differ have other properties, and texts of schemas are long. */
  const byProperties = new Map<string, NamedSchema[]>();
  return {
    get: (schema) =>
      byProperties.get(listProperties(schema))?.find((each) => isEqual(each.schema, schema))?.name,
    set(schema, name) {
      const key = listProperties(schema);
      const alike = byProperties.get(key) ?? [];
      byProperties.set(key, alike);
      alike.push({ schema, name });
      schemas.push({ schema, name });
    },
    list: () => schemas,
  };
}

function listProperties({ properties }: JsonObject): string {
  return isJsonObject(properties) ? Object.keys(properties).join('\n') : '';
}

function isEqual(one: JsonObject, other: JsonObject): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
