import type { Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../src/base/json.ts';

const ID = 'https://example.com/document';

/**
 * Returns a function that compiles schemas of a document, whose references lead to its components. Equal schemas are compiled
 * once, and so is each component that others refer to: a compilation takes a thousand times as long as a validation.
 *
 * @param options of Ajv. Formats are those of ajv-formats, unless `formats` or `validateFormats: false` is set
 */
export function createSchemaCompiler(
  document: JsonObject,
  options: Options = {},
): (schema: unknown) => ValidateFunction {
  // Optimized or inlined code takes longer to compile than it saves.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    code: { optimize: false },
    inlineRefs: false,
    validateSchema: false,
    ...options,
  });
  if (options.formats === undefined && options.validateFormats !== false) addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: ID });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const validate =
      compiled.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"$ref":"#/', `"$ref":"${ID}#/`)));
    compiled.set(text, validate);
    return validate;
  };
}
