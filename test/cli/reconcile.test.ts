import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import {
  createWordPressError,
  readRecordedIndex,
  type StubRequest,
  type StubResponse,
  type StubSite,
} from '../support/stub-site.ts';
import { refused, runCommand } from './run-command.ts';

const POST = { meta: [], title: { rendered: '' } };
const POSTS = [1, 2, 3, 4, 5].map((id) => ({ id, author: id === 2 ? null : 1, ...POST }));

/** What the tests request of the recorded index. A whole one takes ten times as long to read. */
function readIndex(kind?: 'help'): object {
  const index = readRecordedIndex(kind);
  const routes = Object.entries(Object(index['routes'])).filter(([route]) =>
    /^\/(?:wp\/v2(?:\/(?:posts|pages|users\/me)\b.*)?)?$/.test(route),
  );
  return { ...index, routes: Object.fromEntries(routes) };
}

let site: StubSite;
const folder = useFolder();
/** Creates the site's response to requests other than discovery; `undefined` is 404. */
let respond: (request: StubRequest) => StubResponse | undefined;
/** Whether the site never responds to a request. */
let hangs: (request: StubRequest) => boolean;
beforeAll(async () => {
  site = await runStubSite({
    index: readIndex(),
    helpIndex: readIndex('help'),
    respond: (request) => respond(request),
    intercept: (request) => hangs(request),
  });
});
beforeEach(async () => {
  hangs = () => false;
  respond = ({ route = '' }) => {
    if (route === '/wp/v2/posts') return { body: POSTS };
    const id = /^\/wp\/v2\/posts\/(\d+)$/.exec(route)?.[1];
    const post = POSTS.find((each) => String(each.id) === id);
    return post === undefined ? undefined : { body: post };
  };
});

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string) {
  const start = site.requests.length;
  const result = await runCommand(args, { env, cwd });
  const requests = site.requests
    .slice(start)
    .filter(({ method, route }) => route !== undefined && route !== '/' && method !== 'OPTIONS');
  return { ...result, requests };
}

const reconcile = (...more: readonly string[]) =>
  run(['reconcile', site.url, '--out', folder(), '--name', 'site', ...more]);
const POSTS_ONLY = ['--include', '/wp/v2/posts*'];
const runReconcile = (...more: readonly string[]) => reconcile(...POSTS_ONLY, ...more);

const readOutput = async (name: string) => JSON.parse(await readFile(join(folder(), name), 'utf8'));
const readOverlay = () => readOutput('site.overlay.json');

describe('waygate reconcile', () => {
  test('prints a line of progress every ten seconds where there is no terminal', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const usual = respond;
    respond = (request) => {
      vi.advanceTimersByTime(4_000);
      return usual(request);
    };
    const { err, requests } = await runReconcile();
    const lines = err.split('\n').filter((line) => line.startsWith('Reading responses: '));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(requests.length);
  });

  test('writes an overlay of the differences in responses, and prints them', async () => {
    const { code, out, err } = await runReconcile();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await readdir(folder())).toEqual(['site.overlay.json']);
    const { actions, info, overlay: version } = await readOverlay();
    expect({ version, info }).toMatchObject({ version: '1.1.0', info: { version: '1.0.0' } });
    expect(actions).toContainEqual({
      target: '$.components.schemas.Post.properties.author',
      description: 'Also null.',
      update: { type: ['integer', 'null'] },
      'x-waygate-evidence': [
        { kind: 'null', actual: 'null', responses: 1, of: 1, operations: ['listPosts'] },
      ],
    });
    expect(out).toMatch(/^ {2}\d+ differences from the index$/m);
    expect(out).toContain(`Written: ${join(folder(), 'site.overlay.json')}`);

    // The overlay is applied to document and types, and each change is listed with its evidence.
    const only = ['--only', 'document,types,report'];
    const generated = await run([
      'generate',
      site.url,
      '--out',
      folder(),
      '--name',
      'site',
      ...POSTS_ONLY,
      ...only,
    ]);
    expect(generated).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/\d+ overlay actions applied/),
    });
    const { components } = await readOutput('site.openapi.json');
    expect(components.schemas.Post.properties.author.type).toEqual(['integer', 'null']);
    expect(await readFile(join(folder(), 'site.ts'), 'utf8')).toMatch(/\bauthor\??: number \| null;/);
    expect((await readOutput('site.report.json')).overlay).toContainEqual({
      target: '$.components.schemas.Post.properties.author',
      description: 'Also null.',
      change: 'update',
      places: 1,
      evidence: [{ kind: 'null', actual: 'null', responses: 1, of: 1, operations: ['listPosts'] }],
    });
  });

  test('sends at most --max-requests requests, says that it stopped for it, and exits with 1', async () => {
    const { requests, code, out } = await runReconcile('--max-requests', '2');
    expect(requests).toHaveLength(2);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Stopped early: the request limit was reached; --max-requests raises it\. 4 operations were not requested\. The overlay has the responses so far\.$/m,
    );
    expect((await readOverlay()).actions).not.toEqual([]);
  });

  test('keeps what an earlier run has learned, and replaces it with --fresh', async () => {
    const posts = respond;
    await runReconcile();
    const earlier: readonly { target: string }[] = (await readOverlay()).actions;
    const { out } = await runReconcile();
    expect((await readOverlay()).actions).toEqual(earlier);
    expect(out).toContain(`${earlier.length} actions: ${earlier.length} kept of the earlier overlay, 0 new`);
    // What is new follows.
    respond = (request) =>
      request.route === '/wp/v2/posts' ? { body: [{ ...POSTS[0], slug: null }] } : posts(request);
    await runReconcile();
    const { actions } = await readOverlay();
    expect(actions.slice(0, earlier.length)).toEqual(earlier);
    expect(actions.slice(earlier.length).map(({ target }: { target: string }) => target)).toContain(
      '$.components.schemas.Post.properties.slug',
    );
    const own = { target: '$.info', update: { title: 'Ours' } };
    const overlay = await readOverlay();
    await writeFile(
      join(folder(), 'site.overlay.json'),
      JSON.stringify({ ...overlay, actions: [...overlay.actions, own] }),
    );
    await runReconcile('--fresh');
    const fresh = (await readOverlay()).actions;
    expect(fresh[0]).toEqual(own);
  });

  test('refuses an earlier overlay of other routes, whose components can have other names', async () => {
    await runReconcile();
    const { code, err } = await reconcile('--include', '/wp/v2/pages*');
    expect([code, err]).toEqual([2, expect.stringContaining('The overlay was begun with include')]);
    const overlay = await readOverlay();
    overlay.info['x-waygate-selection'] = { include: ['wp/v2', '/wp/v2/posts*'] };
    await writeFile(join(folder(), 'site.overlay.json'), JSON.stringify(overlay));
    const same = await reconcile('--include', '/wp/v2/posts*', '--include', 'wp/v2');
    expect(same.code).toBe(0);
  });

  test('refuses an earlier overlay that it cannot read, before it would replace it', async () => {
    await writeFile(join(folder(), 'site.overlay.json'), '# mine');
    expect(await runReconcile()).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not JSON'),
      requests: [],
    });
    await writeFile(join(folder(), 'site.overlay.json'), '{"overlay":"9"}');
    expect(await runReconcile()).toMatchObject(refused('versions 1.0 and 1.1'));
    expect(await runReconcile('--fresh')).toMatchObject({ code: 0 });
  });

  test('reads the sites of waygate.config.ts', async () => {
    const config = (more: string): Promise<void> =>
      writeFile(
        join(folder(), 'waygate.config.ts'),
        `export default { sites: [{ url: '${site.url}', out: 'api', name: 'posts', authVariable: 'POSTS', include: ['/wp/v2/posts*'] }${more}] };`,
      );
    const env = { POSTS: 'ada:secret' };
    await config('');
    const { code, out, requests } = await run(['reconcile'], env, folder());
    expect(code).toBe(0);
    expect(out).toContain(`Written: ${join('api', 'posts.overlay.json')}`);
    expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Basic ${btoa('ada:secret')}`]),
    );
    expect(
      requests.every(({ route = '' }) => route.startsWith('/wp/v2/posts') || route === '/wp/v2/users/me'),
    ).toBe(true);
    await config(`, { url: '${site.url}', name: 'pages', include: ['/wp/v2/pages*'], overlay: 'mine.json' }`);
    const { out: json } = await run(['reconcile', '--json'], env, folder());
    expect(JSON.parse(json)).toHaveLength(2);
    expect(await readdir(folder())).toContain('mine.json');
    await config(`, { document: 'index.json', name: 'file' }`);
    expect(await run(['reconcile'], env, folder())).toMatchObject(
      refused('index.json is a file. Give the site a "url"'),
    );
  });

  test('stops when the site responds with 429', async () => {
    respond = () => ({ status: 429, body: { code: 'too_many' } });
    const { requests, code, out } = await runReconcile();
    // Requests that had been sent before the first response.
    expect(requests.length).toBeLessThanOrEqual(3);
    expect(code).toBe(1);
    expect(out).toContain('the site asked for fewer requests');
  });

  test.each([
    [401, 'Give credentials that can read the site: --auth'],
    [500, 'Run the command again'],
  ])('exits with 3 when every request has failed with %i, and says so', async (status, advice) => {
    respond = () => ({ status, body: { code: 'no' } });
    const { requests, code, err } = await runReconcile();
    expect({ code, err }).toEqual({
      code: 3,
      err: `waygate: no request to ${site.url} was successful: ${requests.length} ${status}. ${advice}\n`,
    });
    expect((await run(['reconcile', site.url, '--out', folder(), '--json', ...POSTS_ONLY])).code).toBe(3);
  });

  test('--json prints all findings, and reasons for skipped operations', async () => {
    const { out } = await runReconcile('--json');
    const report = JSON.parse(out);
    expect(report).toMatchObject({ format: 1, remaining: [], skipped: {} });
    expect(report.skippedOperations).toContainEqual({
      operation: 'getPostRevision',
      path: '/wp/v2/posts/{parent}/revisions/{id}',
      reason: 'no-item-known',
    });
    expect(report.unsentRequests).toEqual({});
    const found = await runReconcile('--sample', '/wp/v2/posts/1/revisions/12', '--sample', '/wp/v2/pots/5');
    expect(found.out).toContain('  Not sent: /wp/v2/pots/5. The document has no operation for it.\n');
    expect(found.requests.map(({ route }) => route)).toContain('/wp/v2/posts/1/revisions/12');
    expect(report.operations.map(({ operation }: { operation: string }) => operation)).toContain('getPost');
  });

  test('sends what the user names first, and says why it did not send the rest', async () => {
    const samples = ['/wp/v2/posts/4', '/wp/v2/posts/5', '/wp/v2/posts/6'];
    const flags = [...samples.flatMap((sample) => ['--sample', sample]), '--max-requests', '2'];
    const { out, requests } = await runReconcile(...flags);
    expect(requests.map(({ method, route }) => `${method} ${route}`)).toEqual([
      'GET /wp/v2/posts/4',
      'GET /wp/v2/posts/5',
    ]);
    expect(out).toContain('  Not sent: /wp/v2/posts/6. Sampling ended before it.\n');
  });

  test('only reads: a write among the samples is refused with advice, and nothing is sent', async () => {
    for (const sample of ['POST /wp/v2/posts {"title":"A"}', 'DELETE /wp/v2/posts/4']) {
      // Before discovery, which this site would fail.
      const refusal = await runCommand(['reconcile', await unreachableOrigin(), '--sample', sample]);
      expect(refusal).toMatchObject(refused(`--sample ${sample}: reconcile only reads`));
    }
  });

  test('ends at once if the site refuses the credentials', async () => {
    respond = () => ({ status: 401, body: { code: 'incorrect_password', message: 'm' } });
    const { code, err, requests } = await run(
      ['reconcile', site.url, '--out', folder(), '--name', 'site', '--auth', 'ada:wrong'],
      {},
    );
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('refuses the credentials: check the user and the application password'),
    });
    expect(requests.map(({ route }) => route)).toEqual(['/wp/v2/users/me']);
  });

  test.each([
    [['--max-requests', '0'], '--max-requests'],
    [['--name', 'a/b'], '--name'],
    [['--sample', 'posts'], '--sample posts: give only the path'],
    [['--sample', 'GET /wp/v2/posts/4'], '--sample GET /wp/v2/posts/4: give only the path'],
  ])('%j exits with 2', async (flags, message) => {
    expect(await runReconcile(...flags)).toMatchObject({ ...refused(message), requests: [] });
  });
});

test('a user samples what a user sees, and a later run without credentials adds what visitors see', async () => {
  const endpoints = { namespace: 'notes/v1', endpoints: [{ methods: ['GET'], args: {} }] };
  const names = ['notes', 'notes/(?P<id>[\\d]+)', 'closed', 'closed/(?P<id>[\\d]+)'];
  const routes = Object.fromEntries(names.map((name) => [`/notes/v1/${name}`, endpoints]));
  const notes = [1, 2, 3].map((id) => ({ id, title: 'One', body: null, owner_id: 4 }));
  const { requests, url } = await runStubSite({
    index: { name: 'Notes', namespaces: ['notes/v1'], routes },
    respond({ headers, route = '' }) {
      if (route === '/notes/v1/closed') return createWordPressError(403, 'rest_forbidden', 'No.');
      const seen = notes.map((note) =>
        headers.authorization === undefined ? note : { ...note, remind: true },
      );
      return { body: route === '/notes/v1/notes' ? seen : seen[Number(route.at(-1)) - 1] };
    },
  });
  const runSite = async (command: string, ...more: readonly string[]) => {
    const result = await run([command, url, '--out', folder(), '--name', 'site', ...more]);
    expect(result).toMatchObject({ code: 0, err: '' });
    return result;
  };
  const readRequired = async (): Promise<readonly string[]> => {
    await runSite('generate');
    return (await readOutput('site.openapi.json')).components.schemas.NotesNote.required;
  };
  await runSite('reconcile', '--auth', 'ada:word');
  expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Basic ${btoa('ada:word')}`]),
  );
  expect(await readRequired()).toContain('remind');
  expect((await runSite('reconcile')).out).toContain('not used: 1 403');
  expect(await readRequired()).not.toContain('remind');
  // Nothing is known of what a refused list would name.
  const { skippedOperations } = JSON.parse((await runSite('reconcile', '--json')).out);
  expect(skippedOperations).toContainEqual(expect.objectContaining({ reason: 'refused' }));
});
