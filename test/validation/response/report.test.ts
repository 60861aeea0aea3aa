import { describe, expect, test } from 'vitest';
import {
  createResponseFindingStats,
  type ResponseValidationReport,
} from '../../../src/validation/response/index.ts';
import { judgementOf } from './validate-json.ts';

const SCHEMA = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'integer' }, meta: { type: 'object' } } },
} as const;

function reportOf(...bodies: readonly string[]): ResponseValidationReport {
  const findings = createResponseFindingStats();
  for (const body of bodies) findings.record('listIt', judgementOf(SCHEMA, body));
  return findings.report();
}

describe('the report of what was found', () => {
  test('says how many answers of how many showed it, however often each did', () => {
    const report = reportOf('[{"id":null},{"id":null}]', '[{"id":null,"meta":[]}]', '[{"id":1}]', 'oops');
    expect(report).toEqual({
      judged: 3,
      unjudged: { malformed: 1 },
      operations: [
        {
          operation: 'listIt',
          judged: 3,
          right: 1,
          unlisted: 0,
          findings: [
            {
              kind: 'null',
              weight: 'wrong',
              pointer: '/*/id',
              saw: 'null',
              keyword: 'type',
              schema: '/components/schemas/It/items/properties/id',
              answers: 2,
            },
            {
              kind: 'empty-array-for-object',
              weight: 'tolerated',
              pointer: '/*/meta',
              saw: 'array',
              keyword: 'type',
              schema: '/components/schemas/It/items/properties/meta',
              answers: 1,
            },
          ],
        },
      ],
    });
  });

  test('is right where a site only writes an object as PHP does', () => {
    expect(reportOf('[{"meta":[]}]').operations[0]).toMatchObject({ judged: 1, right: 1 });
  });

  test('goes on where an earlier one ended', () => {
    const before = reportOf('[{"id":null}]', 'oops');
    const findings = createResponseFindingStats(JSON.parse(JSON.stringify(before)));
    expect(findings.report()).toEqual(before);
    findings.record('listIt', judgementOf(SCHEMA, '[{"id":null}]'));
    expect(findings.report()).toMatchObject({
      judged: 2,
      unjudged: { malformed: 1 },
      operations: [{ judged: 2, findings: [{ pointer: '/*/id', answers: 2 }] }],
    });
  });
});
