import { describe, expect, test } from 'vitest';
import { createExampleText, type TextWish } from '../../src/example-values/example-text.ts';
import { createKeyedRandom } from '../../src/example-values/keyed-random.ts';
import { ResponseExamples } from '../../src/example-values/response-examples.ts';
import { isJsonObject, type Json } from '../../src/json.ts';
import { readSeed } from '../support/documents.ts';

const create = (wish: Partial<TextWish>): string =>
  createExampleText(
    { name: '', within: '', format: '', pattern: undefined, minLength: 0, maxLength: 400, key: 'a', ...wish },
    createKeyedRandom(1),
  );

describe('the example of a text', () => {
  test.each<[string, RegExp]>([
    ['first_name', /^(Ada|Grace|Alan|Mary)$/],
    ['displayName', /^(Ada|Grace|Alan|Mary) [A-Z]/],
    ['author_email', /^[a-z]+@example\.com$/],
    ['title', /^[A-Z][A-Za-z ]+$/],
    ['description', /^[A-Z].*\.$/],
    ['link', /^https:\/\/example\.com\/[a-z-]+$/],
    ['guid', /^https:\/\/example\.com\//],
    ['slug', /^[a-z]+-[a-z]+$/],
    ['mime_type', /^image\//],
    ['post_type', /^(post|page)$/],
    ['modified_gmt', /^2026-\d\d-\d\dT\d\d:\d\d:00$/],
    ['nonce', /^[0-9a-f]{10}$/],
    ['date_created_gmt', /^2026-\d\d-\d\dT\d\d:\d\d:00$/],
    ['date_format', /^F j, Y$/],
    ['payment_method', /^(cod|bacs)$/],
    ['', /^[A-Z][a-z]+ [a-z]+$/],
    ['anything_else', /^Example anything else$/],
    ['__proto__', /^Example proto$/],
  ])('of the name %s is plausible', (name, pattern) => {
    expect(create({ name })).toMatch(pattern);
  });

  test.each([
    ['status', '^[\\w-]+$'],
    ['user_id', '^(?:\\d+|me)$'],
    ['name', '^[a-z0-9-]+/[a-z0-9-]+$'],
    ['nonce', '^\\w+$'],
    ['code', '^[A-Z]{4}$'],
  ])('of the name %s matches %s', (name, pattern) => {
    expect(create({ name, pattern })).toMatch(new RegExp(pattern));
  });

  test('is no longer than allowed, and no shorter', () => {
    expect(create({ name: 'title', maxLength: 3 })).toHaveLength(3);
    expect(create({ name: 'title', minLength: 200 })).toHaveLength(200);
  });

  test('of a date and of its form in GMT is the same', () => {
    expect(create({ name: 'date', key: 'a date' })).toBe(create({ name: 'date_gmt', key: 'a date_gmt' }));
  });
});

test('the example of a post is one that a site could send', () => {
  const document = readSeed('content');
  const post = new ResponseExamples(document).create({ schema: { $ref: '#/components/schemas/Post' } });
  const memberOf = (value: Json | undefined, name: string): Json | undefined =>
    isJsonObject(value) ? value[name] : undefined;
  expect(post).toMatchObject({ type: 'post', status: 'publish', comment_status: 'open', format: 'standard' });
  expect(memberOf(memberOf(post, 'content'), 'protected')).toBe(false);
  expect(memberOf(post, 'date')).toBe(memberOf(post, 'date_gmt'));
  expect(String(memberOf(post, 'modified')) > String(memberOf(post, 'date'))).toBe(true);
});

test('what a value means depends on what contains it', () => {
  const document = { components: { schemas: {} } };
  const order = new ResponseExamples(document).create({
    schema: {
      title: 'shop_order',
      type: 'object',
      properties: {
        currency: { type: 'string', enum: ['AED', 'EUR'] },
        customer: { type: 'object', properties: { name: { type: 'string' } } },
        line_items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              product_id: { type: 'integer', minimum: 1 },
              quantity: { type: 'integer', maximum: 2 },
              total: { type: 'string' },
            },
          },
        },
      },
    },
  });
  expect(order).toEqual({
    currency: 'EUR',
    customer: { name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/) },
    line_items: Array.from({ length: 2 }, () => ({
      name: expect.stringMatching(/^(Harbour tea|Canvas bag|Enamel mug)$/),
      product_id: expect.any(Number),
      quantity: expect.toSatisfy((value) => value === 1 || value === 2),
      total: expect.stringMatching(/^\d+\.\d\d$/),
    })),
  });
});
