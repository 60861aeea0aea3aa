import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JsonObject, jsonItems, toText } from '../../../src/base/json.ts';
import { generate } from '../../../src/generate.ts';
import { reconcile } from '../../../src/generator/reconcile/index.ts';
import { type StubSite, startStubSite } from '../../support/stub-site.ts';

const route = (pattern: string, ...methods: readonly string[]): [string, object] => [
  pattern,
  { namespace: 'boards/v2', methods, endpoints: methods.map((method) => ({ methods: [method], args: {} })) },
];

const INDEX = {
  name: 'A site with a plugin that describes nothing',
  namespaces: ['boards/v2'],
  routes: Object.fromEntries([
    route('/boards/v2/tasks', 'GET', 'POST'),
    route('/boards/v2/tasks/(?P<id>\\d+)', 'GET', 'PUT'),
    [
      '/boards/v2/boards/(?P<id>\\d+)',
      {
        namespace: 'boards/v2',
        methods: ['PUT', 'PATCH'],
        endpoints: [{ methods: ['PUT', 'PATCH'], args: { title: { type: 'string' } } }],
      },
    ],
  ]),
};

let site: StubSite;
beforeEach(async () => {
  site = await startStubSite({ index: INDEX, respond: () => ({ status: 500, body: null }) });
});
afterEach(() => site.close());

const TASK = { id: 7, title: 'Call Rosalind', done: false };
const SECRET = 'wordpress_logged_in=Rosalind';

const entry = (
  method: string,
  url: string,
  response: unknown,
  body?: unknown,
  { status = 200, type = 'application/json', headers = [] as readonly object[] } = {},
): JsonObject =>
  JSON.parse(
    JSON.stringify({
      startedDateTime: '2026-11-29T07:00:00.250+01:00',
      request: {
        ...{ method, url, headers: [{ name: 'Cookie', value: SECRET }, ...headers] },
        ...(body === undefined
          ? {}
          : { postData: { mimeType: type, text: typeof body === 'string' ? body : JSON.stringify(body) } }),
      },
      response: {
        status,
        content: { mimeType: 'application/json; charset=UTF-8', text: JSON.stringify(response) },
      },
    }),
  );

const sessionAt = (root: string): JsonObject => ({
  log: {
    entries: [
      entry('GET', `${root}boards/v2/tasks?board=3&code=007&archived=false&_wpnonce=5ec4e7`, [TASK]),
      entry(
        'GET',
        `${root}boards/v2/tasks?query_timestamp=1795932000249&busted=1795932000&random=0.8150721984`,
        [],
      ),
      entry('GET', `${root}boards/v2/tasks?since=1795900000000&_=1795932000249`, []),
      entry('GET', `${root}boards/v2/tasks?_fields[]=partial`, [{ partial: 1 }]),
      entry('GET', `${root}boards/v2/tasks?_envelope=1`, { enveloped: [TASK] }),
      entry('PUT', `${root}boards/v2/boards/2`, {}, { places: 5 }),
      entry('PATCH', `${root}boards/v2/boards/2`, {}, { places: null }),
      entry('POST', `${root}boards/v2/tasks?_locale=user`, TASK, { title: 'Call Rosalind', labels: [4] }),
      entry('POST', `${root}boards/v2/tasks`, TASK, 'title=Rosalind&done=true&_wpnonce=5ec4e7', {
        type: 'application/x-www-form-urlencoded; charset=UTF-8',
      }),
      entry(
        'POST',
        `${root}boards/v2/tasks/7`,
        { task: TASK },
        { title: 'Later' },
        { headers: [{ name: 'X-HTTP-Method-Override', value: 'PUT' }] },
      ),
      entry('POST', `${root}boards/v2/tasks`, { code: 'no' }, { wrong: 1 }, { status: 400 }),
      entry('POST', `${root.replace('wp-json', 'wp-admin')}admin-ajax.php`, { ok: 1 }, 'action=save'),
      entry('GET', 'https://example.org/wp-json/boards/v2/tasks', [{ stranger: 1 }]),
    ],
  },
});

test("a browser's session types the operations that it used, without values", async () => {
  const har = sessionAt(`${site.url}wp-json/`);
  const before = site.requests.length;
  const { overlay, report } = await reconcile(site.url, { har });
  expect(site.requests.slice(before).every(({ route: path }) => path?.startsWith('/boards') !== true)).toBe(
    true,
  );
  expect(report.session).toEqual({ requests: 11, forms: 1, others: 1 });
  expect(JSON.stringify(overlay)).not.toMatch(
    /Rosalind|5ec4e7|Later|stranger|wrong|nonce|partial|enveloped|busted|timestamp|random/,
  );

  const { files } = await generate(site.url, { name: 'site', only: ['client'], overlay });
  const client = [...(files.get('site.client.ts') ?? [])].join('');
  expect(client).toMatch(/labels\?: readonly number\[\] \| undefined/);
  expect(client).toMatch(/done\?: boolean \| undefined/);
  expect(client).toMatch(/board\?: string \| number \| null \| undefined/);
  expect(client).toMatch(/since\?: string \| number \| null \| undefined/);
  expect(client).toMatch(/archived\?: QueryBoolean \| null \| undefined/);
  expect(client).toMatch(/\/boards\/v2\/tasks\/\{id\}/);
  const actionsOf = (name: string) =>
    overlay.actions.map(toText).filter((text) => text.includes(`"${name}"`));
  expect(actionsOf('code')).toEqual([expect.stringContaining('"schema":{"type":"string"}')]);
  expect(actionsOf('labels').every((text) => text.includes('createBoardsTask'))).toBe(true);
  expect(actionsOf('places')).toEqual([expect.stringContaining('"type":["integer","null"]')]);
  const evidence = overlay.actions.flatMap((action) => jsonItems(action['x-waygate-evidence']));
  expect(evidence.length).toBeGreaterThanOrEqual(overlay.actions.length);
});

test('another file is refused', async () => {
  await expect(reconcile(site.url, { har: { entries: [] } })).rejects.toThrow('no log.entries');
});
