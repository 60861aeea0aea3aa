import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../../base/json.ts';
import { printModule } from './module.ts';
import { planModule } from './plan.ts';

export interface TypesOptions {
  readonly name?: string;
}

/**
 * Creates a TypeScript module with documented types. `paths`, `operations` and `components` have the form of openapi-typescript,
 * e.g. for `createClient<paths>()` of openapi-fetch. Equal documents give equal bytes.
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}; it can be hostile
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
  return [...(await printModule(planModule(toJsonObject(document), options.name)))].join('');
}
