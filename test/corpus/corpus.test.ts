import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { boardSite, contentSite, type ExampleSite } from '../../src/example/index.ts';
import type { JsonObject } from '../../src/json.ts';
import { applyOverlayToGeneration, toOpenApi } from '../../src/openapi/index.ts';
import { systemClock } from '../../src/ports.ts';
import { reconcile } from '../../src/reconcile/index.ts';
import { runSteps } from '../../src/steps.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { startLargeServer } from './large-server.ts';
import { type CorpusFolder, createCorpusFolder, describeCompilation, listPrograms } from './runner.ts';

const ADMINISTRATOR = { username: 'admin', password: 'demo-admin-password' };
const AUTH = { user: ADMINISTRATOR.username, password: ADMINISTRATOR.password };
const TOKEN = 'token-of-the-corpus-tests-0123456789';

/** `reconcile` requires a member that was in three responses. */
const RUNS = 3;

const NAMES = ['content', 'boards', 'large'] as const;
type Name = (typeof NAMES)[number];
const works = (await Promise.all(NAMES.map((name) => listPrograms(name, 'works')))).flat();
const fails = (await Promise.all(NAMES.map((name) => listPrograms(name, 'fails')))).flat();

const closers: (() => Promise<void>)[] = [];
let urls: Readonly<Record<Name, string>>;
let gateway: RunningGateway;
let folder: CorpusFolder;

beforeAll(async () => {
  const large = await startLargeServer();
  closers.push(() => large.close());
  urls = { content: await listen(contentSite()), boards: await listen(boardSite()), large: large.url };
  gateway = await startNodeGateway({
    // Time stands still, so that the time budget of the background work is never used up.
    clock: { ...systemClock, now: () => 0 },
    sites: NAMES.map((name) => ({
      name,
      url: urls[name],
      validation: { mode: 'observe', responses: 'all' },
    })),
    admin: { token: TOKEN },
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
async function listen(site: ExampleSite): Promise<string> {
  const { close, origin } = await startServer(getRequestListener(site.fetch));
  closers.push(close);
  return `${origin}/`;
}

/** Creates the document of a site, with the corrections of `reconcile`, which knows what the gateway has seen of the programs. */
async function createDocument(name: Name): Promise<JsonObject> {
  const shapes = await gateway.request(`/-/sites/${name}/shapes`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const generated = toOpenApi(await discover(urls[name]));
  const { overlay } = await reconcile(urls[name], {
    auth: AUTH,
    gatewayShapes: await shapes.json(),
    maxRequests: 100,
  });
  return runSteps(applyOverlayToGeneration(generated, overlay)).document;
}
