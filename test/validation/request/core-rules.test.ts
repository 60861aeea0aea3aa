import { describe, expect, test } from 'vitest';
import { describeDefinition, isCoreRule } from '../../../src/validation/request/core-rules.ts';

test('a definition is what a value is validated by', () => {
  const schema = { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 5 };
  expect(describeDefinition({ ...schema, description: 'Ids.', default: [] })).toBe(
    'array<integer,minimum=1>,maxItems=5',
  );
});

describe('a rule of WordPress itself', () => {
  const posts = { method: 'GET', route: '/wp/v2/posts' };
  const perPage = { schema: { type: 'integer', minimum: 1, maximum: 100 }, isRequired: false };
  const rule = (param: string, code = 'rest_invalid_type') => ({ param, rule: code });

  test.each([
    ['its argument', posts, rule('per_page'), perPage, true],
    [
      'its argument under another name of the namespace',
      { ...posts, route: '/core/v2/posts' },
      rule('per_page'),
      perPage,
      true,
    ],
    ['malformed JSON', posts, rule('', 'rest_invalid_json'), undefined, true],
    ['a limit of the gateway', posts, rule('', 'gateway_body_too_large'), undefined, false],
    ['another argument', posts, rule('board'), perPage, false],
    [
      'another definition',
      posts,
      rule('per_page'),
      { ...perPage, schema: { type: 'integer', maximum: 500 } },
      false,
    ],
    ['another route', { ...posts, route: '/wp/v2/products' }, rule('per_page'), perPage, false],
    [
      'a route with a group',
      { ...posts, route: '/wp/v2/posts/(?P<id>[\\d]+)' },
      rule('context'),
      { schema: { type: 'string', enum: ['view'] }, isRequired: false },
      true,
    ],
    [
      'an argument that a plugin requires',
      posts,
      rule('per_page', 'required'),
      { ...perPage, isRequired: true },
      false,
    ],
    ['a name of Object.prototype', posts, rule('constructor'), perPage, false],
  ])('is %s', (_, operation, broken, definition, expected) => {
    expect(isCoreRule(operation, broken, definition)).toBe(expected);
  });
});
