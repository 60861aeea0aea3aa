import { describe, expect, test } from 'vitest';
import { createExampleText, type TextWish } from '../../src/example-values/example-text.ts';
import { createKeyedRandom } from '../../src/example-values/keyed-random.ts';
import { ResponseExamples } from '../../src/example-values/response-examples.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';
import { readSeed } from '../support/documents.ts';

const create = (wish: Partial<TextWish>): string =>
  createExampleText(
    {
      name: '',
      within: '',
      format: '',
      pattern: undefined,
      minLength: 0,
      maxLength: 400,
      key: 'a',
      example: 'a',
      object: 'a',
      index: 0,
      ...wish,
    },
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
    line_items: [
      {
        name: expect.stringMatching(/^(Harbour tea|Canvas bag|Enamel mug)$/),
        product_id: expect.any(Number),
        quantity: 2,
        total: expect.stringMatching(/^\d+\.\d\d$/),
      },
    ],
  });
});

describe('the members of an example agree', () => {
  const text = { type: 'string' };
  const number = { type: 'integer' };
  const exampleOf = (title: string, properties: JsonObject): Json | undefined =>
    new ResponseExamples({}).create({ schema: { title, type: 'object', properties } });
  const membersOf = (title: string, properties: JsonObject): Readonly<Record<string, Json>> => {
    const example = exampleOf(title, properties);
    if (!isJsonObject(example)) throw new Error('no object');
    return example;
  };

  test.each([
    ['completed_task_count', 'task_count'],
    ['min_price', 'max_price'],
    ['minimum', 'maximum'],
    ['page', 'total_pages'],
    ['usage_count', 'usage_limit'],
    ['billable_minutes', 'minutes'],
  ])('%s is no greater than %s', (lesser, greater) => {
    const members = membersOf('x', { [lesser]: number, [greater]: number });
    expect(Number(members[lesser])).toBeLessThanOrEqual(Number(members[greater]));
  });

  test.each([
    ['date_created', 'date_modified'],
    ['date', 'modified'],
    ['date_on_sale_from', 'date_on_sale_to'],
    ['created_at', 'completed_at'],
    ['started_at', 'due_at'],
    ['from', 'to'],
  ])('%s is before %s', (earlier, later) => {
    const members = membersOf('x', { [earlier]: text, [later]: text });
    expect(String(members[earlier]) < String(members[later])).toBe(true);
  });

  test.each(['date_created', 'date_modified', 'date_paid', 'date'])(
    '%s and its form in GMT are equal',
    (name) => {
      const members = membersOf('x', { [name]: text, [`${name}_gmt`]: text });
      expect(members[name]).toBe(members[`${name}_gmt`]);
    },
  );

  test('a price is the sale price while there is a sale', () => {
    const members = membersOf('product', {
      price: text,
      regular_price: text,
      sale_price: text,
      on_sale: { type: 'boolean' },
    });
    expect(members).toMatchObject({ on_sale: true, price: members['sale_price'] });
    expect(Number(members['sale_price'])).toBeLessThan(Number(members['regular_price']));
  });

  test('the total of an order is the sum of its parts', () => {
    const item = {
      type: 'object',
      properties: { quantity: number, price: { type: 'number' }, total: text, total_tax: text },
    };
    const line = { type: 'object', properties: { total: text } };
    const lists = { line_items: item, shipping_lines: line, fee_lines: line };
    const order = exampleOf('shop_order', {
      ...Object.fromEntries(Object.entries(lists).map(([name, items]) => [name, { type: 'array', items }])),
      total: text,
      total_tax: text,
      cart_tax: text,
      shipping_tax: text,
      shipping_total: text,
    });
    const read = JSON.parse(JSON.stringify(order));
    const [{ price, quantity, total }] = read.line_items;
    expect(price * quantity).toBeCloseTo(Number(total));
    expect(Number(read.cart_tax) + Number(read.shipping_tax)).toBeCloseTo(Number(read.total_tax));
    const parts = [total, read.shipping_lines[0].total, read.fee_lines[0].total, read.total_tax].map(Number);
    expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(Number(read.total));
  });

  test('an address is in its country', () => {
    const cities: Json = { Hamburg: 'DE-HH', Bremen: 'DE-HB', Berlin: 'DE-BE' };
    const address = membersOf('billing', { city: text, state: text, country: text });
    expect(address).toMatchObject({ country: 'DE', state: Object(cities)[String(address['city'])] });
  });
});
