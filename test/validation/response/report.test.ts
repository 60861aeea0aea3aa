import { describe, expect, test } from 'vitest';
import {
  ResponseFindingStats,
  type ResponseValidationReport,
} from '../../../src/validation/response/validator.ts';
import { validateJson } from './validate-json.ts';

const SCHEMA = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'integer' }, meta: { type: 'object' } } },
} as const;

function createReport(...bodies: readonly string[]): ResponseValidationReport {
  const findings = new ResponseFindingStats();
  for (const body of bodies) findings.record('listIt', validateJson(SCHEMA, body));
  return findings.report();
}

describe('the report of findings', () => {
  test('counts the responses with a finding, not its occurrences', () => {
    const report = createReport('[{"id":null},{"id":null}]', '[{"id":null,"meta":[]}]', '[{"id":1}]', 'oops');
    expect(report).toEqual({
      validated: 3,
      skipped: { malformed: 1 },
      operations: [
        {
          operation: 'listIt',
          validated: 3,
          correct: 1,
          findings: [
            {
              kind: 'null',
              severity: 'wrong',
              pointer: '/*/id',
              actual: 'null',
              keyword: 'type',
              schema: '/components/schemas/It/items/properties/id',
              responses: 2,
            },
            {
              kind: 'empty-array-for-object',
              severity: 'tolerated',
              pointer: '/*/meta',
              actual: 'array',
              keyword: 'type',
              schema: '/components/schemas/It/items/properties/meta',
              responses: 1,
            },
          ],
        },
      ],
    });
  });
});
