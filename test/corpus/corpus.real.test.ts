import { afterAll, beforeAll, test } from 'vitest';
import { runSteps } from '../../src/base/steps.ts';
import { discover } from '../../src/generator/discovery/index.ts';
import { applyOverlayToGeneration, toOpenApi } from '../../src/generator/openapi/index.ts';
import { reconcile } from '../../src/generator/reconcile/index.ts';
import { useWordPress } from '../support/wordpress.ts';
import { type CorpusFolder, createCorpusFolder, describeCompilation, listPrograms } from './runner.ts';

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

describeCompilation(() => folder, works, fails);

test.each(works)('%s runs', async (program) => {
  await folder.run(program);
});
