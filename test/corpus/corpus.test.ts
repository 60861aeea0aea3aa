import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { boardSite, contentSite, type ExampleSite } from '../../src/example/index.ts';
import type { JsonObject } from '../../src/json.ts';
import { applyOverlayToGeneration, type OpenApiDocument, toOpenApi } from '../../src/openapi/index.ts';
import { createOverlayActions } from '../../src/reconcile/create-overlay.ts';
import { reconcile } from '../../src/reconcile/index.ts';
import { runSteps } from '../../src/steps.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { RecordedResponses } from './recorded-responses.ts';
import { type CorpusFolder, createCorpusFolder, describeCompilation, listPrograms } from './runner.ts';

const ADMINISTRATOR = { username: 'admin', password: 'demo-admin-password' };
const AUTH = { user: ADMINISTRATOR.username, password: ADMINISTRATOR.password };

/** `reconcile` requires a member that was in three responses. */
const RUNS = 3;

const NAMES = ['content', 'boards'] as const;
type Name = (typeof NAMES)[number];
const works = (await Promise.all(NAMES.map((name) => listPrograms(name, 'works')))).flat();
const fails = (await Promise.all(NAMES.map((name) => listPrograms(name, 'fails')))).flat();

const closers: (() => Promise<void>)[] = [];
const responses: Readonly<Record<Name, RecordedResponses>> = {
  content: new RecordedResponses(),
  boards: new RecordedResponses(),
};
let urls: Readonly<Record<Name, string>>;
let gateway: RunningGateway;
let folder: CorpusFolder;

beforeAll(async () => {
  urls = {
    content: await listen(contentSite(), responses.content),
    boards: await listen(boardSite(), responses.boards),
  };
  gateway = await startNodeGateway({
    sites: NAMES.map((name) => ({ name, url: urls[name], validation: { mode: 'observe' } })),
  });
  folder = await createCorpusFolder(
    NAMES.map((name) => ({ name, baseUrl: `${gateway.origin}/${name}/wp-json`, user: ADMINISTRATOR })),
  );
}, 60_000);

afterAll(async () => {
  await folder.remove();
  await gateway.stop();
  for (const close of closers) await close();
});

test.each(works)('%s runs', async (program) => {
  await folder.run(program, RUNS);
});

describe('with the types of the sites', () => {
  beforeAll(async () => {
    for (const name of NAMES) await folder.writeClient(name, await createDocument(name));
  }, 120_000);

  describeCompilation(() => folder, works, fails);
});

/** Starts a site and returns its URL. */
async function listen(site: ExampleSite, recorded: RecordedResponses): Promise<string> {
  const { close, origin } = await startServer(getRequestListener(recorded.record(site.fetch)));
  closers.push(close);
  return `${origin}/`;
}

/** Creates the document of a site, corrected by the responses that the programs and a `reconcile` have got, writes included. */
async function createDocument(name: Name): Promise<JsonObject> {
  const generated = toOpenApi(await discover(urls[name]));
  await reconcile(urls[name], { auth: AUTH, maxRequests: 100 });
  const stated: OpenApiDocument = JSON.parse(JSON.stringify(generated.document));
  const { actions } = createOverlayActions(stated, responses[name].listSamples(stated));
  return runSteps(applyOverlayToGeneration(generated, { overlay: '1.1.0', actions })).document;
}
