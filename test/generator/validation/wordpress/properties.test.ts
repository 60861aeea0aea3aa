import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';
import { value } from './arbitrary.ts';

test('any value can be validated by any JSON value in place of a schema', () => {
  fc.assert(
    fc.property(
      value,
      fc.dictionary(
        fc.constantFrom(
          ...'type items properties enum anyOf required pattern minimum format $ref additionalProperties'.split(
            ' ',
          ),
          '__proto__',
        ),
        fc.jsonValue(),
      ),
      (value, nonsense) => {
        const validator = createSchemaValidator(JSON.parse(JSON.stringify(nonsense)));
        validator.validate(value, 'p');
        validator.sanitize(value, 'p');
      },
    ),
  );
});

test('a schema can be recursive by reference', () => {
  const tree = { type: 'object', properties: { child: { $ref: '#/tree' }, size: { type: 'integer' } } };
  const validator = createSchemaValidator(tree, (reference) => (reference === '#/tree' ? tree : undefined));
  expect(validator.validate({ child: { child: { size: 'x' } } }, 'tree')).toMatchObject({
    message: 'tree[child][child][size] is not of type integer.',
  });
  const circle = createSchemaValidator({ $ref: '#/a' }, () => ({ $ref: '#/a' }));
  expect(circle.validate('anything', 'p')).toBeNull();
});

test.each([
  [1, { type: 'integer', exclusiveMinimum: 1 }, 'p must be greater than 1'],
  [
    9,
    { type: 'integer', minimum: 1, exclusiveMaximum: 9 },
    'p must be between 1 (inclusive) and 9 (exclusive)',
  ],
  [null, { type: ['string', 'integer'] }, 'p is not of type string,integer.'],
  ['x', { type: 'string', pattern: '^[a]$', 'x-waygate-pcre': '^a$' }, 'p does not match pattern ^a$.'],
])('normalised schemas are supported: %j by %j', (value, by, message) => {
  expect(createSchemaValidator(by).validate(value, 'p')).toMatchObject({ message });
});

test.each([
  ['a keyword that the site does not know', 'b', { type: 'string', const: 'a' }],
  ['a type that was inferred', 'b', { type: 'integer', enum: [1], 'x-waygate-type': null }],
  ['a type of which the site does not know the word', 'b', { type: 'boolean', 'x-waygate-type': 'bool' }],
  ['an enum that was made to fit', '2', { type: 'integer', enum: [1], 'x-waygate-type': 'int' }],
  ['the length of what is no UTF-8', 'a\ufffdb', { type: 'string', maxLength: 2 }],
  ['a pattern that is not found in what is no UTF-8', 'a\ufffdb', { type: 'string', pattern: '^c' }],
  ['numbers that may differ at the site', [2 ** 53, 2 ** 53], { type: 'array', uniqueItems: true }],
  ['an enum of a text that the site cleans first', '<b>a</b>', { format: 'text-field', enum: ['a'] }],
  ['what follows a tuple', [1, 'b'], { type: 'array', prefixItems: [{}], items: { type: 'integer' } }],
])('a keyword that the site ignores causes no violation: %s', (_, value, by) => {
  expect(createSchemaValidator(by).validate(value, 'p')).toBeNull();
});

test("property names are matched by the site's own patterns", () => {
  const validator = createSchemaValidator({
    type: 'object',
    patternProperties: { '^[\\t-\\r ]': { type: 'integer' } },
    'x-waygate-pattern-properties': { '^[\\t-\\r ]': '^\\s' },
    additionalProperties: false,
  });
  expect(validator.validate({ ' a': '7' }, 'p')).toBeNull();
  expect(validator.validate({ ' a': 'b' }, 'p')?.message).toBe('p[ a] is not of type integer.');
});

test('`__proto__` is an ordinary property', () => {
  const validator = createSchemaValidator(
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}'),
  );
  const value: Json = JSON.parse('{"__proto__":"7"}');
  expect(validator.validate(value, 'p')).toBeNull();
  const sanitized = validator.sanitize(value, 'p');
  expect(JSON.stringify(sanitized)).toBe('{"ok":true,"value":{"__proto__":7}}');
  expect(validator.validate(JSON.parse('{"__proto__":"x"}'), 'p')?.message).toBe(
    'p[__proto__] is not of type integer.',
  );
});
