import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/base/diagnostics.ts';
import type { Json } from '../../../../src/base/json.ts';
import { type NormalizedArgument, Normalizer } from '../../../../src/generator/model/schema/normalizer.ts';

const at = { route: '/core/v2/posts', pointer: '/routes/~1core~1v2~1posts/endpoints/0/args' };

function read(declarations: Readonly<Record<string, Json>>): {
  args: readonly NormalizedArgument[];
  found: readonly Diagnostic[];
} {
  const found: Diagnostic[] = [];
  // JSON.parse, because a literal `__proto__` would set the prototype.
  const args = Object.entries(declarations).map(([name, declaration]) => ({
    name,
    declaration: JSON.parse(JSON.stringify(declaration)),
  }));
  return { args: new Normalizer((diagnostic) => found.push(diagnostic)).normalizeArguments(args, at), found };
}

describe('the arguments of an endpoint', () => {
  test('are required if the site states true', () => {
    const { args, found } = read({
      a: { type: 'string', required: true },
      b: { type: 'string', required: false },
      c: {},
    });
    expect(args).toEqual([
      { name: 'a', required: true, schema: { type: 'string' } },
      { name: 'b', required: false, schema: { type: 'string' } },
      { name: 'c', required: false, schema: {} },
    ]);
    expect(found).toEqual([]);
  });

  test.each([['true'], [1], [null], [{}]])(
    'are optional if `required` is %j, as in WordPress',
    (required) => {
      const { args } = read({ a: { type: 'string', required } });
      expect(args).toEqual([{ name: 'a', required: false, schema: { type: 'string' } }]);
    },
  );

  test('are reported at the exact keyword, with names escaped', () => {
    const { found } = read({ 'a/b~c': { type: 'object', properties: { 'd/e': { type: 'wibble' } } } });
    expect(found).toMatchObject([
      { rule: 'type-unknown', route: at.route, pointer: `${at.pointer}/a~1b~0c/properties/d~1e/type` },
    ]);
  });
});
