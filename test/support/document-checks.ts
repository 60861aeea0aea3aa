import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
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

const TYPE_OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  types: [],
  lib: ['lib.es5.d.ts'],
  skipDefaultLibCheck: true,
};
const typeHost = ts.createCompilerHost(TYPE_OPTIONS);
/** The files of TypeScript's library, which are parsed once. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Generates types with openapi-typescript and compiles them in strict mode. @returns the types and compiler errors */
export async function compileTypes(
  text: string,
): Promise<{ readonly source: string; readonly errors: readonly string[] }> {
  const source = astToString(await openapiTS(JSON.parse(text), { silent: true }));
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, version) => {
    if (name === 'api.ts') return ts.createSourceFile(name, source, version);
    if (!libraries.has(name)) libraries.set(name, typeHost.getSourceFile(name, version));
    return libraries.get(name);
  };
  const program = ts.createProgram(['api.ts'], TYPE_OPTIONS, { ...typeHost, getSourceFile });
  const diagnostics = ts.getPreEmitDiagnostics(program);
  return {
    source,
    errors: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  };
}

/** Collects the schemas of parameters, bodies, responses and components of a document, by JSON pointer. */
function collectSchemas(document: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  walk(document, '#', (value, pointer) => {
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    if (/\/(?:schema|response|x-waygate-whole)$/.test(pointer) || parent === '#/components/schemas') {
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
  const compile = createSchemaCompiler(Object(document));
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
