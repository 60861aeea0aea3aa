import type { OpenAPIV3_1 } from 'openapi-types';
import type { Json, JsonObject } from '../json.ts';

/**
 * Objects of OpenAPI as a document has them. Users edit documents, so the names of the members are those of `openapi-types`, and
 * whoever reads a value tests it.
 */
type Described<Type> = JsonObject & { readonly [Name in NamesOf<Type>]?: Json };

type NamesOf<Type> = Type extends unknown ? Extract<keyof Type, string> : never;

/**
 * An OpenAPI 3.1 document: plain JSON data, which users store in files and edit. It is a document of `openapi-types` too, so other
 * tools take it without a cast.
 */
export type OpenApiDocument = JsonObject & OpenAPIV3_1.Document & { readonly paths: JsonObject };

export type PathItemObject = Described<OpenAPIV3_1.PathItemObject>;
export type OperationObject = Described<OpenAPIV3_1.OperationObject>;
export type ParameterObject = Described<OpenAPIV3_1.ParameterObject>;
export type RequestBodyObject = Described<OpenAPIV3_1.RequestBodyObject>;
/** With the keywords of JSON Schema 2020-12 that `openapi-types` does not know by their names. */
export type SchemaObject = Described<OpenAPIV3_1.SchemaObject>;
