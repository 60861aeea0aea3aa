import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../json.ts';
import { compileSchemas } from './compile.ts';
import { printModule } from './module.ts';
import { planModule } from './plan.ts';

export interface TypesOptions {
  /** Name of the site in the banner. @default the document's title */
  readonly name?: string;
}

/**
 * Creates the TypeScript module of an OpenAPI 3.1 document. It has a named, documented type for every schema component
 * and for the query, path, body and response of every operation. `paths`, `operations` and `components` have the form of
 * openapi-typescript, so that `createClient<paths>()` of openapi-fetch accepts them. A type that the document does not
 * state is `unknown`. The same document always gives the same module, byte for byte.
 *
 * Steps from a schema to text: `shape.ts` states a schema in the words of json-schema-to-typescript, with the names of other
 * types in place of references. `compile.ts` lets it print all of them, and `print.ts` indents its text. `module.ts` puts the
 * declarations in order.
 *
 * The document can be hostile: its names and texts are escaped, and no reference is resolved outside of it.
 *
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}
 * @param options `name` overrides the document's title in the banner
 * @returns the text of the module
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { discover, toOpenApi, toTypes } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * await writeFile('site.ts', await toTypes(document));
 */
export async function toTypes(
  document: OpenAPIV3_1.Document | JsonObject,
  options: TypesOptions = {},
): Promise<string> {
  return [...(await toTypeParts(document, options))].join('');
}

/** Creates the text of {@link toTypes} in parts of about one type. */
export async function toTypeParts(
  document: OpenAPIV3_1.Document | JsonObject,
  options: TypesOptions = {},
): Promise<Iterable<string>> {
  const plan = planModule(toJsonObject(document), options.name);
  return printModule(plan, await compileSchemas(plan.shapes));
}
