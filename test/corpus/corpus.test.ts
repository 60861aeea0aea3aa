import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { boardSite } from '../../src/example/index.ts';
import type { JsonObject } from '../../src/json.ts';
import { applyOverlayToGeneration, type OpenApiDocument, toOpenApi } from '../../src/openapi/index.ts';
import { createOverlayActions } from '../../src/reconcile/create-overlay.ts';
import { reconcile } from '../../src/reconcile/index.ts';
import { runSteps } from '../../src/steps.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { RecordedResponses } from './recorded-responses.ts';
import { type CorpusFolder, createCorpusFolder, describeCompilation, listPrograms } from './runner.ts';

const ADMINISTRATOR = { username: 'admin', password: 'demo-admin-password' };
const AUTH = { user: ADMINISTRATOR.username, password: ADMINISTRATOR.password };

/** `reconcile` requires a member that was in three responses. */
const RUNS = 3;

const works = await listPrograms('boards', 'works');
const fails = await listPrograms('boards', 'fails');

const responses = new RecordedResponses();
let site: TestServer;
let url = '';
let gateway: RunningGateway;
let folder: CorpusFolder;

beforeAll(async () => {
  site = await startServer(getRequestListener(responses.record(boardSite().fetch)));
  url = `${site.origin}/`;
  gateway = await startNodeGateway({ sites: [{ name: 'boards', url, validation: { mode: 'observe' } }] });
  const baseUrl = `${gateway.origin}/boards/wp-json`;
  folder = await createCorpusFolder([{ name: 'boards', baseUrl, user: ADMINISTRATOR }]);
}, 60_000);

afterAll(async () => {
  await folder.remove();
  await gateway.stop();
  await site.close();
});

test.each(works)('%s runs', async (program) => {
  await folder.run(program, RUNS);
});

describe('with the types of the site', () => {
  beforeAll(async () => {
    await folder.writeClient('boards', await createDocument());
  }, 120_000);

  describeCompilation(() => folder, works, fails);
});

/** Creates the document of the site, corrected by the responses that the programs and a `reconcile` have got, writes included. */
async function createDocument(): Promise<JsonObject> {
  const generated = toOpenApi(await discover(url));
  await reconcile(url, { auth: AUTH, maxRequests: 100 });
  const stated: OpenApiDocument = JSON.parse(JSON.stringify(generated.document));
  const { actions } = createOverlayActions(stated, responses.listSamples(stated));
  return runSteps(applyOverlayToGeneration(generated, { overlay: '1.1.0', actions })).document;
}
