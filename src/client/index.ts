import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type JsonObject } from '../json.ts';
import { compileSchemas } from '../types/compile.ts';
import { planClient } from './client-plan.ts';
import { printClient } from './print-client.ts';

export interface ClientGenerationOptions {
  /** Name of the site in the banner. @default the document's title */
  readonly name?: string;
}

/**
 * Creates a client of the site of an OpenAPI 3.1 document: one TypeScript module without dependencies, which runs in browsers,
 * Node, Deno, Bun and workers. It exports `createClient`, `paginate` and `batch`, the types of the site's resources by the
 * names of their components, and maps of its operations by method and path. Responses are typed by `context`, `_fields`, `_embed`
 * and `force` of the request, errors by their `code`. The same document always gives the same module, byte for byte.
 *
 * The document may be hostile: its names and texts are escaped, and no reference is resolved outside of it.
 *
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}
 * @param options `name` overrides the document's title in the banner
 * @returns the text of the module
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { discover, toClient, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * await writeFile('site.client.ts', await toClient(document));
 */
export async function toClient(
  document: OpenAPIV3_1.Document | JsonObject,
  options: ClientGenerationOptions = {},
): Promise<string> {
  // The file reads the package, which only Node can, so that it is loaded on use.
  const { readRuntimeSource } = await import('./runtime-source.ts');
  const runtime = await readRuntimeSource();
  const value: unknown = document;
  const plan = planClient(isJsonObject(value) ? value : {}, runtime.names, options.name);
  return printClient(plan, await compileSchemas(plan.compilerSchemas), runtime.text);
}
