import type { OpenAPIV3_1 } from 'openapi-types';
import type { Json, JsonObject } from '../../base/json.ts';

/** An object with the member names of `openapi-types`. Users edit documents, so values are unchecked. */
type Described<Type> = JsonObject & { readonly [Name in NamesOf<Type>]?: Json };

type NamesOf<Type> = Type extends unknown ? Extract<keyof Type, string> : never;

/** An OpenAPI 3.1 document as JSON, which tools that expect `openapi-types` accept. */
export type OpenApiDocument = JsonObject & OpenAPIV3_1.Document & { readonly paths: JsonObject };

export type PathItemObject = Described<OpenAPIV3_1.PathItemObject>;
export type OperationObject = Described<OpenAPIV3_1.OperationObject>;
export type ParameterObject = Described<OpenAPIV3_1.ParameterObject>;
export type RequestBodyObject = Described<OpenAPIV3_1.RequestBodyObject>;
/** `openapi-types` doesn't name all keywords of JSON Schema 2020-12. */
export type SchemaObject = Described<OpenAPIV3_1.SchemaObject>;
