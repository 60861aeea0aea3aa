import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';
import { FORMAT_PATTERNS } from '../../src/validators/checked-schema.ts';
import { toValidators } from '../../src/validators/index.ts';
import { createSchemaCompiler } from '../support/document-schemas.ts';
import { sampleResponses, siteDocument } from './documents.ts';
import { issuesOf, type LoadedModule, loadModule } from './load-module.ts';
import { mutate, mutation } from './mutate.ts';

/** Ajv's validators of the responses of a document, by operation id. */
function createReference(document: JsonObject): (id: string) => (value: unknown) => boolean {
  const formats = Object.fromEntries(
    Object.entries(FORMAT_PATTERNS).map(([format, pattern]) => [format, new RegExp(pattern, 'u')]),
  );
  const compile = createSchemaCompiler(document, { formats });
  return (id) => {
    for (const [path, item] of Object.entries(isJsonObject(document['paths']) ? document['paths'] : {})) {
      const operation = isJsonObject(item) ? item['get'] : undefined;
      if (!isJsonObject(operation) || operation['operationId'] !== id) continue;
      const pointer = `/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
      const validate = compile({ $ref: `#${pointer}` });
      return (value) => validate(value) === true;
    }
    throw new Error(`no operation ${id}`);
  };
}

describe.each(['content', 'boards'] as const)('validators of the site %s', (name) => {
  let samples: readonly (readonly [id: string, value: Json])[];
  let modules: Readonly<Record<'zod' | 'json', LoadedModule>>;
  let reference: (id: string) => (value: unknown) => boolean;
  beforeAll(async () => {
    const document = await siteDocument(name);
    modules = {
      zod: loadModule(await toValidators(document, { kind: 'zod' })),
      json: loadModule(await toValidators(document, { kind: 'json' })),
    };
    samples = [...(await sampleResponses(name, document))].filter(
      ([id]) => modules.json.validators[id]?.response !== undefined,
    );
    const compile = createReference(document);
    const compiled = new Map(samples.map(([id]) => [id, compile(id)]));
    reference = (id) => compiled.get(id) ?? (() => false);
  }, 120_000);

  test.each(['zod', 'json'] as const)('of kind %s accept the responses of the site', (kind) => {
    expect(samples.length).toBeGreaterThan(5);
    const refused = samples.map(([id, value]) => [
      id,
      issuesOf(modules[kind].validators[id]?.response, value),
    ]);
    expect(refused.filter(([, issues]) => issues !== null)).toEqual([]);
  });

  test.each(['zod', 'json'] as const)('of kind %s agree with Ajv about changed responses', (kind) => {
    let wrong = 0;
    fc.assert(
      fc.property(fc.nat({ max: samples.length - 1 }), mutation, (index, change) => {
        const [id = '', value = null] = samples[index] ?? [];
        const changed = mutate(value, change);
        const valid = issuesOf(modules[kind].validators[id]?.response, changed) === null;
        expect([id, valid]).toEqual([id, reference(id)(changed)]);
        if (!valid) wrong += 1;
      }),
      { numRuns: 200 },
    );
    expect(wrong).toBeGreaterThan(50);
  });
});
