import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../src/json.ts';
import { toTypes } from '../../src/types/index.ts';
import { toValidators } from '../../src/validators/index.ts';
import { documentWith } from '../types/documents.ts';
import { HOSTILE_NAMES as NAMES } from '../types/hostile-names.ts';
import { siteDocument } from './documents.ts';
import { issuesOf, loadModule } from './load-module.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** In the project, so that zod resolves. */
let folder: string;

const TEXT = '*/ throw 1; /* `${x}` \u202e \u0000 \r\n " \' \\ </script>';

/** A document whose names, texts and patterns would become code if they were not escaped. */
function hostileDocument() {
  const property: Json = {
    type: 'string',
    description: TEXT,
    pattern: TEXT,
    format: TEXT,
    enum: [TEXT, 'x'],
  };
  const slow: Json = { type: 'string', pattern: `(${TEXT})+` };
  // A reference is code, a value of this form is not.
  const value: Json = { enum: [{ $ref: 'throw 1' }] };
  const properties = Object.fromEntries(NAMES.map((name) => [name, property]));
  const schema: Json = {
    type: 'object',
    title: TEXT,
    properties: { ...properties, slow, value },
    required: NAMES,
  };
  const response = (name: string): Json => ({
    200: {
      description: TEXT,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` },
        },
      },
    },
  });
  return documentWith(
    Object.fromEntries(NAMES.map((name) => [name, schema])),
    Object.fromEntries(
      NAMES.map((name, index) => [
        `/${index}/${name}`,
        {
          get: {
            operationId: name,
            parameters: [{ name, in: 'query', schema: property }],
            responses: response(name),
            'x-waygate-contexts': { [name]: { $ref: '#/components/schemas/Post' } },
          },
        },
      ]),
    ),
  );
}

const PROGRAM = `
import * as zod from './content.zod.js';
import { ListPostsContexts, validators } from './content.json.js';
import type { components } from './content.js';
import type { StandardSchemaV1 } from '@standard-schema/spec';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const schemas: StandardSchemaV1[] = [zod.Post, zod.validators.listPosts.response, validators.listPosts.query];
const result = validators.listPosts.response['~standard'].validate([]);
if (result.issues === undefined) {
  const same: Same<typeof result.value, components['schemas']['Post'][]> = true;
  const id: number | undefined = result.value[0]?.id;
}
const edited = validators.listPosts.contexts.edit['~standard'].validate([]);
if (edited.issues === undefined) {
  const same: Same<typeof edited.value, components['schemas']['PostEdit'][]> = true;
}
const alone = ListPostsContexts.edit['~standard'].validate([]);
if (alone.issues === undefined) {
  const same: Same<typeof alone.value, components['schemas']['PostEdit'][]> = true;
}
const posts = zod.validators.listPosts.response.parse([]);
const title: string | undefined = posts[0]?.title.rendered;
// @ts-expect-error a title has no such member
posts[0]?.title.rendred.length;
// @ts-expect-error there is no such operation
validators.listNothing;
`;

describe('validators compile under strict TypeScript', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, 'node_modules/.validators-'));
    const files: Record<string, string> = {
      'package.json': '{"type":"module"}',
      'program.ts': PROGRAM,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
          ...{ noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true, declaration: true },
          ...{
            module: 'nodenext',
            target: 'es2022',
            lib: ['es2022'],
            types: [],
            skipLibCheck: true,
            noEmit: true,
          },
        },
      }),
    };
    const documents = {
      content: await siteDocument('content'),
      boards: await siteDocument('boards'),
      hostile: hostileDocument(),
    };
    for (const [name, document] of Object.entries(documents)) {
      files[`${name}.ts`] = await toTypes(document);
      files[`${name}.zod.ts`] = await toValidators(document, { kind: 'zod' });
      files[`${name}.json.ts`] = await toValidators(document, { kind: 'json', types: `./${name}.ts` });
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The older compiler takes three times as long: it compiles one document, the newer one all.
  test.each([
    ['typescript', ['program.ts']],
    ['typescript-7', ['*.ts']],
  ])(
    'by %s',
    async (version, include) => {
      const compiler = join(ROOT, 'node_modules', version, 'bin/tsc');
      const project = join(folder, `tsconfig.${version}.json`);
      await writeFile(project, JSON.stringify({ extends: './tsconfig.json', include }));
      const output = await promisify(execFile)(process.execPath, [compiler, '-p', project]).then(
        ({ stdout }) => stdout,
        (error: { stdout?: string }) => error.stdout ?? 'failed',
      );
      expect(output).toBe('');
    },
    300_000,
  );
});

describe.each(['zod', 'json'] as const)('validators of kind %s of a hostile document', (kind) => {
  test('run none of its text, and check members of any name', async () => {
    const { validators } = loadModule(await toValidators(hostileDocument(), { kind }));
    expect(Object.keys(validators).sort()).toEqual(
      NAMES.filter((name) => name !== '')
        .concat(`get /${NAMES.indexOf('')}/`)
        .sort(),
    );
    const value = Object.fromEntries([...NAMES, 'slow'].map((name) => [name, 'x']));
    const { response } = validators['Post'] ?? {};
    expect(issuesOf(response, value)).toBeNull();
    expect(issuesOf(response, { ...value, toString: 5 })).toEqual(['toString']);
    expect(issuesOf(response, { ...value, '*/': 5 })).toEqual(['*/']);
  });
});
