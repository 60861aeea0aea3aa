import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { joinToChunks, printJson, stringifyDocument } from '../../../src/generator/openapi/index.ts';

const json = fc.jsonValue({ maxDepth: 5 });

describe('a serialized document', () => {
  it('is the same JSON when it is written in parts', () => {
    fc.assert(
      fc.property(json, (value) => {
        const document: JsonObject = { value: JSON.parse(JSON.stringify(value)) };
        expect([...joinToChunks(printJson(document), 10)].join('')).toBe(stringifyDocument(document));
      }),
    );
  });
});
