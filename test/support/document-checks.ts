import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { compileFiles } from './compile.ts';
import { createSchemaCompiler } from './document-schemas.ts';

// Checks of an OpenAPI document by third-party tools: Redocly, openapi-typescript, Ajv.

/** Lints a document with Redocly's `spec` ruleset. @returns errors with their rule and JSON pointer */
export async function lintDocumentText(text: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['spec'] });
  const document = makeDocumentFromString(text, 'openapi.json');
  const problems = await lintDocument({ document, config, externalRefResolver: new BaseResolver() });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

/** Generates types with openapi-typescript, and compiles them in strict mode. @returns errors of the compiler */
export async function listTypeErrors(text: string): Promise<readonly string[]> {
  const source = astToString(await openapiTS(JSON.parse(text), { silent: true }));
  if (!/^export (?:interface|type) paths/m.test(source)) return ['no paths'];
  const options = { strict: true, noEmit: true, target: 'es2022', types: [], lib: ['es5'] };
  return [...compileFiles([['api.ts', source]], options).values()].flat();
}

/** Collects the schemas of parameters, bodies, responses and components of a document, by JSON pointer. */
function collectSchemas(document: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  walk(document, '#', (value, pointer) => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    if (/\/(?:schema|response)$/.test(pointer) || parent === '#/components/schemas') {
      found.set(pointer, value);
      return false;
    }
    return true;
  });
  return found;
}

/** Finds schemas that Ajv (2020-12) fails to compile, and defaults, at any depth, that are invalid by their schema. */
export function validateSchemas(document: unknown): {
  readonly broken: string[];
  readonly refused: string[];
} {
  const compile = createSchemaCompiler(Object(document), { validateSchema: true });
  const visited = new Set<string>();
  const broken: string[] = [];
  const refused: string[] = [];
  for (const [pointer, schema] of collectSchemas(document)) {
    const text = JSON.stringify(schema);
    if (visited.has(text)) continue;
    visited.add(text);
    try {
      compile(schema);
    } catch (error) {
      broken.push(`${pointer}: ${String(error)}`);
      continue;
    }
    walkSchema(schema, pointer, (inner, at) => {
      if (Object.hasOwn(inner, 'default') && !compile(inner)(inner['default'])) refused.push(at);
    });
  }
  return { broken, refused };
}

/** Visits a schema and all subschemas. Values that only resemble schemas (in `enum`, `default`) are skipped. */
function walkSchema(
  schema: unknown,
  pointer: string,
  visit: (schema: Readonly<Record<string, unknown>>, pointer: string) => void,
): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  visit(Object(schema), pointer);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${keyword}`;
    if (['properties', 'patternProperties', '$defs', 'dependentSchemas'].includes(keyword)) {
      for (const [name, inner] of Object.entries(Object(value))) walkSchema(inner, `${at}/${name}`, visit);
    } else if (['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(keyword) && Array.isArray(value)) {
      for (const [index, inner] of value.entries()) walkSchema(inner, `${at}/${index}`, visit);
    } else if (
      ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'].includes(
        keyword,
      )
    ) {
      walkSchema(value, at, visit);
    }
  }
}

function walk(value: unknown, pointer: string, enter: (value: unknown, pointer: string) => boolean): void {
  if (typeof value !== 'object' || value === null || !enter(value, pointer)) return;
  for (const [name, inner] of Object.entries(value)) {
    walk(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, enter);
  }
}
