import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json.ts';
import { filterByContext, listContexts } from '../../src/model/contexts.ts';
import { normalizeSchema } from '../../src/model/schema/normalizer.ts';

const view = (stated: JsonObject, context: string): JsonObject => {
  const normal = normalizeSchema(stated, { route: '/', pointer: '', report: () => {} });
  return filterByContext(stated, normal, context, listContexts(stated));
};

const text = (...context: string[]): JsonObject => ({ type: 'string', context });

describe('the contexts of a resource', () => {
  it('are those its properties name, the usual ones first', () => {
    const properties = { a: text('custom', 'embed'), b: text('edit', 'view'), c: { type: 'string' } };
    expect(listContexts({ properties })).toEqual(['view', 'edit', 'embed', 'custom']);
    expect(listContexts({ properties: { c: { type: 'string' }, context: { type: 'string' } } })).toEqual([]);
    expect(listContexts({ properties: { a: { context: ['a b', '', 7, 'x'.repeat(99), 'ok'] } } })).toEqual([
      'ok',
    ]);
  });

  it('drop what they do not name, keep what names none, and look only into what names some', () => {
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
    expect(Object.keys(Object(view(schema, 'view')['properties']))).toEqual(['both', 'always', 'title']);
    expect(view(schema, 'view')).toMatchObject({
      properties: { always: { properties: { inner: {} } }, title: { properties: { rendered: {} } } },
    });
    expect(JSON.stringify(view(schema, 'view'))).not.toContain('raw');
    expect(JSON.stringify(view(schema, 'edit'))).toContain('raw');
  });

  it('require only what every context has, and forbid nothing that another context adds', () => {
    const properties = {
      partial: { ...text('view'), required: true },
      everywhere: { ...text('view', 'edit'), required: true },
      edit: text('edit'),
    };
    const schema = { type: 'object', additionalProperties: false, properties };
    expect(view(schema, 'view')).toMatchObject({ required: ['everywhere'] });
    expect(view(schema, 'view')).not.toHaveProperty('additionalProperties');
    const listed = { type: 'object', required: ['partial'], properties };
    expect(view(listed, 'view')).not.toHaveProperty('required');
  });

  it('are one and the same schema where they leave the same', () => {
    const schema = { type: 'object', properties: { a: text('view', 'edit') } };
    expect(view(schema, 'view')).toEqual(view(schema, 'edit'));
  });

  it('keep properties that are named like parts of every object', () => {
    const properties = JSON.parse(
      '{ "__proto__": { "type": "string", "context": ["view"] }, "constructor": { "type": "string" } }',
    );
    const left = Object(
      view({ type: 'object', properties: { ...properties, e: text('edit') } }, 'view')['properties'],
    );
    expect(Object.keys(left)).toEqual(['__proto__', 'constructor']);
  });
});
