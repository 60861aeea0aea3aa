import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json.ts';
import { filterByContext, listContexts } from '../../src/model/resources.ts';
import { normalized } from './schema/normalized.ts';

const filtered = (stated: JsonObject, context: string): JsonObject => {
  return filterByContext(stated, normalized(stated).schema, context, listContexts(stated));
};

const text = (...context: string[]): JsonObject => ({ type: 'string', context });

describe('the contexts of a resource', () => {
  test('are those that its properties name, WordPress’s own first', () => {
    const properties = { a: text('custom', 'embed'), b: text('edit', 'view'), c: { type: 'string' } };
    expect(listContexts({ properties })).toEqual(['view', 'edit', 'embed', 'custom']);
    expect(listContexts({ properties: { c: { type: 'string' }, context: { type: 'string' } } })).toEqual([]);
    expect(listContexts({ properties: { a: { context: ['a b', '', 7, 'x'.repeat(99), 'ok'] } } })).toEqual([
      'ok',
    ]);
  });

  test('remove properties of other contexts, keep those without contexts, and filter only into those with contexts', () => {
    const schema = {
      type: 'object',
      properties: {
        both: text('view', 'edit'),
        edit: text('edit'),
        never: text(),
        always: { type: 'object', properties: { inner: text('edit') } },
        title: {
          type: 'object',
          context: ['view', 'edit'],
          properties: { raw: text('edit'), rendered: text('view', 'edit') },
        },
      },
    };
    expect(Object.keys(Object(filtered(schema, 'view')['properties']))).toEqual(['both', 'always', 'title']);
    expect(filtered(schema, 'view')).toMatchObject({
      properties: { always: { properties: { inner: {} } }, title: { properties: { rendered: {} } } },
    });
    expect(JSON.stringify(filtered(schema, 'view'))).not.toContain('raw');
    expect(JSON.stringify(filtered(schema, 'edit'))).toContain('raw');
  });

  test('require only properties of every context, and allow properties of other contexts', () => {
    const properties = {
      partial: { ...text('view'), required: true },
      everywhere: { ...text('view', 'edit'), required: true },
      edit: text('edit'),
    };
    const schema = { type: 'object', additionalProperties: false, properties };
    expect(filtered(schema, 'view')).toMatchObject({ required: ['everywhere'] });
    expect(filtered(schema, 'view')).not.toHaveProperty('additionalProperties');
    const listed = { type: 'object', required: ['partial'], properties };
    expect(filtered(listed, 'view')).not.toHaveProperty('required');
  });

  test('keep properties with names of inherited members', () => {
    const properties = JSON.parse(
      '{ "__proto__": { "type": "string", "context": ["view"] }, "constructor": { "type": "string" } }',
    );
    const left = Object(
      filtered({ type: 'object', properties: { ...properties, e: text('edit') } }, 'view')['properties'],
    );
    expect(Object.keys(left)).toEqual(['__proto__', 'constructor']);
  });
});
