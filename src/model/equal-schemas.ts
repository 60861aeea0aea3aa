import { isJsonObject, type JsonObject } from '../json.ts';

/** Returns the first schema it was called with that is equal to the given one: that schema itself if there was none. */
export type FindEqualSchema = (schema: JsonObject) => JsonObject;

/** Creates a search of equal schemas whose time does not depend on the number of schemas. */
export function createEqualSchemaSearch(): FindEqualSchema {
  const found = new Map<JsonObject, JsonObject>();
  /** By the names of properties: most schemas that differ have other properties, and texts of schemas are long. */
  const byProperties = new Map<string, FindEqualSchema>();
  return (schema) => {
    const known = found.get(schema);
    if (known !== undefined) return known;
    const key = listProperties(schema);
    const find = byProperties.get(key) ?? createSearchByText();
    byProperties.set(key, find);
    const equal = find(schema);
    found.set(schema, equal);
    return equal;
  };
}

function createSearchByText(): FindEqualSchema {
  let first: JsonObject | undefined;
  let byText: Map<string, JsonObject> | undefined;
  return (schema) => {
    first ??= schema;
    if (first === schema) return schema;
    // The text of the first schema is not needed until there is a second one.
    byText ??= new Map([[JSON.stringify(first), first]]);
    const text = JSON.stringify(schema);
    const equal = byText.get(text) ?? schema;
    byText.set(text, equal);
    return equal;
  };
}

function listProperties({ properties }: JsonObject): string {
  return isJsonObject(properties) ? Object.keys(properties).join('\n') : '';
}
