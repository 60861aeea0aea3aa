import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../json.ts';
import { JSON_MODULE_NAMES, printJsonModule, printZodModule, ZOD_MODULE_NAMES } from './module.ts';
import { planValidators } from './plan.ts';

export interface ValidatorsOptions {
  /** `zod`: the module imports zod 4. `json`: the module contains its validator and imports nothing. */
  readonly kind: 'zod' | 'json';
  /**
   * Import specifier of the module of {@link toTypes}, from which validators of kind `json` have their types: `./site.ts`.
   * zod infers its types itself.
   * @default none: the types are `unknown`
   */
  readonly types?: string | undefined;
}

/**
 * Creates the TypeScript module with validators of an OpenAPI 3.1 document: for the path parameters, the query, the body
 * and the response of each operation (`validators.listPosts.response`), and for each schema component. Every validator is
 * a Standard Schema (https://standardschema.dev). The same document always gives the same module, byte for byte.
 *
 * A validator accepts everything that its schema accepts. Requests are validated as JSON values, without the conversions of
 * WordPress. Responses can have further members. Keywords that a validator cannot check are named in a comment, such as a
 * pattern that does not match in linear time.
 *
 * The document can be hostile: its names, texts and patterns are escaped.
 *
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}
 * @returns the text of the module
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { discover, toOpenApi, toValidators } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * await writeFile('site.validators.ts', await toValidators(document, { kind: 'zod' }));
 */
export async function toValidators(
  document: OpenAPIV3_1.Document | JsonObject,
  { kind, types }: ValidatorsOptions,
): Promise<string> {
  const root = toJsonObject(document);
  if (kind === 'zod') return printZodModule(planValidators(root, ZOD_MODULE_NAMES));
  // The file reads the package, which only Node can, so that it is loaded on use.
  const { readValidatorSource } = await import('./runtime-source.ts');
  const runtime = await readValidatorSource();
  const names = new Set(runtime.match(/\b[A-Z][\w$]*/g));
  return printJsonModule(planValidators(root, [...names, ...JSON_MODULE_NAMES]), types, runtime);
}
