import { beforeAll, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt } from '../../src/json.ts';
import { toTypes } from '../../src/types/index.ts';
import { toValidators } from '../../src/validators/index.ts';
import { documentWith, recordedDocument } from '../types/documents.ts';
import { createTypeChecker } from '../types/type-checker.ts';
import { issuesOf, type LoadedModule, loadModule } from './load-module.ts';

/** Members of WordPress 7.1: values that it sends although its schemas do not say so (K5), and values that it never sends. */
const MEMBERS: Readonly<Record<string, readonly [sent: readonly Json[], neverSent: readonly Json[]]>> = {
  // A template of a file was never modified.
  'Template modified': [[null, false, '2026-01-02T03:04:05'], [5]],
  'TemplatePart modified': [[null, false], []],
  // PHP has one array type, so an object without members is an empty list.
  'BlockType example': [
    [null, [], { attributes: [] }, { innerBlocks: [{ name: 'a/b', attributes: [] }] }],
    ['a', ['a']],
  ],
  'BlockType variations': [
    [[], [{ name: 'a', title: 'A', attributes: [], example: [] }]],
    [[{ name: 'a', title: 'A', attributes: ['a'] }]],
  ],
  'AbilityCategory meta': [
    [[], { shown: true }],
    [['a'], null],
  ],
  'Ability input_schema': [[[], { type: 'object' }], [['a']]],
  'Ability output_schema': [[[]], [null]],
  'AttachmentEdit image_quality': [
    [
      { default: 82, sizes: [] },
      { default: 82, sizes: { thumbnail: 60 } },
    ],
    [{ sizes: [1] }],
  ],
  'TypeEdit supports': [[[], { title: true }], [['title']]],
};

let document: JsonObject;
let modules: readonly LoadedModule[];
beforeAll(async () => {
  const { components } = recordedDocument();
  const schemas = Object.keys(MEMBERS).map((name, index): [string, Json] => {
    const [component = '', member = ''] = name.split(' ');
    const schema = memberAt(components, 'schemas', component, 'properties', member);
    if (schema === undefined) throw new Error(`the document has no ${name}`);
    return [`Member${index}`, schema];
  });
  document = documentWith(Object.fromEntries(schemas));
  modules = await Promise.all(
    (['zod', 'json'] as const).map(async (kind) => loadModule(await toValidators(document, { kind }))),
  );
});

test.each(Object.keys(MEMBERS).map((name, index) => ({ name, index })))(
  'both kinds of validators know what $name may be',
  ({ name, index }) => {
    const [sent, neverSent] = MEMBERS[name] ?? [[], []];
    for (const { constants } of modules) {
      const own = constants[`Member${index}`];
      expect(sent.map((value) => issuesOf(own, value))).toEqual(sent.map(() => null));
      expect(neverSent.map((value) => issuesOf(own, value))).not.toContain(null);
    }
  },
);

test('the types have the null of a template', async () => {
  const program = `import type { components } from './site.ts';
    export const modified: components['schemas']['Member0'][] = [null, false, '2026-01-02T03:04:05'];
    // @ts-expect-error: no number
    export const other: components['schemas']['Member0'] = 5;`;
  const { errors } = createTypeChecker()({ 'site.ts': await toTypes(document), 'program.ts': program });
  expect(errors).toEqual([]);
});
