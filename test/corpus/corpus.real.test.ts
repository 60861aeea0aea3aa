import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { applyOverlayToGeneration, toOpenApi } from '../../src/openapi/index.ts';
import { reconcile } from '../../src/reconcile/index.ts';
import { runSteps } from '../../src/steps.ts';
import { useWordPress } from '../support/wordpress.ts';
import { COMPILERS, type CorpusFolder, createCorpusFolder, listPrograms } from './runner.ts';

const works = await listPrograms('core', 'works');
const fails = await listPrograms('core', 'fails');

const site = useWordPress();
let folder: CorpusFolder;

beforeAll(async () => {
  const { url, users } = site();
  const { user, password } = users.administrator;
  folder = await createCorpusFolder([
    { name: 'core', baseUrl: `${url}wp-json`, user: { username: user, password } },
  ]);
  const { overlay } = await reconcile(url, { auth: { user, password } });
  const generated = toOpenApi(await discover(url));
  await folder.writeClient('core', runSteps(applyOverlayToGeneration(generated, overlay)).document);
}, 300_000);

afterAll(async () => {
  await folder.remove();
});

describe.each(COMPILERS)('compiled by %s', (compiler) => {
  let errors: ReturnType<CorpusFolder['compile']>;
  beforeAll(() => {
    errors = folder.compile(compiler);
  }, 120_000);

  test('the client and nothing but programs compile', () => {
    expect([...errors].filter(([file]) => !works.includes(file) && !fails.includes(file))).toEqual([]);
  });
  test.each(works)('%s compiles', (program) => {
    expect(errors.get(program)?.join('\n') ?? '').toBe('');
  });
  test.each(fails)('%s has its error and no other', (program) => {
    expect(errors.get(program)?.join('\n') ?? '').toBe('');
  });
});

test.each(works)('%s runs', async (program) => {
  await folder.run(program);
});
