import { afterAll, beforeAll, expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import { discover } from '../../src/discovery/index.ts';
import { applyOverlayToGeneration, toOpenApi } from '../../src/openapi/index.ts';
import { reconcile } from '../../src/reconcile/index.ts';
import { runSteps } from '../../src/steps.ts';
import { useFolder } from '../support/folder.ts';
import { useWordPress } from '../support/wordpress.ts';
import { readDocumentedPrograms, runPrograms } from './documented-programs.ts';
import { type CorpusFolder, createCorpusFolder, describeCompilation, listPrograms } from './runner.ts';

const works = await listPrograms('core', 'works');
const fails = await listPrograms('core', 'fails');

const site = useWordPress();
let folder: CorpusFolder;
const runFolder = useFolder('file');

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

describeCompilation(() => folder, works, fails);

test.each(works)('%s runs', async (program) => {
  await folder.run(program);
});

test('what the documentation of WordPress shows runs', async () => {
  const { url, users } = site();
  const baseUrl = `${url}wp-json`;
  const idOf = async (path: string): Promise<number> => {
    const [first] = await (await fetch(`${baseUrl}/wp/v2/${path}`)).json();
    return first.id;
  };
  const ids = {
    post: await idOf('posts?slug=post-1'),
    category: await idOf('categories?slug=local'),
    image: await idOf('media?media_type=image'),
  };
  const { password, user: username } = users.administrator;
  const admin = { username, password };
  const programs = await readDocumentedPrograms('content');
  const client = await toClient({ openapi: '3.1.1', paths: {} });
  expect(await runPrograms(runFolder(), { baseUrl, ids, admin, customer: admin }, client, programs)).toEqual(
    new Map(),
  );
});
