import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type JsonObject } from '../json.ts';
import { compileSchemas } from './compile.ts';
import { printModule } from './module.ts';
import { planModule } from './plan.ts';

export interface TypesOptions {
  /** What the banner calls the site. @default the document's title */
  readonly name?: string;
}

/**
 * The TypeScript module of an OpenAPI 3.1 document, self-contained and the same to the byte each time: a named,
 * documented type for every schema component and for the query, path, body and answer of every operation, and `paths`,
 * `operations` and `components` as openapi-typescript makes them, so that `createClient<paths>()` of openapi-fetch
 * takes them as they are. What the document does not say is `unknown`.
 *
 * The document may be hostile: its names and texts are made harmless, and no reference in it is followed out of it.
 *
 * @example
 * await writeFile('site.ts', await toTypes(document));
 */
export async function toTypes(
  document: OpenAPIV3_1.Document | JsonObject,
  options: TypesOptions = {},
): Promise<string> {
  const given: unknown = document;
  const plan = planModule(isJsonObject(given) ? given : {}, options.name);
  return printModule(plan, await compileSchemas(plan.compilerSchemas));
}
