// @ts-check
import { strict as assert } from 'node:assert';

/**
 * The commands of a framework. `dev` gets `--host` and `--port`.
 *
 * @typedef {readonly [command: string, ...args: string[]]} Command
 * @typedef {Record<'dev' | 'check' | 'build' | 'start', Command> & { prepare?: Command }} Commands
 */

const EDITOR = `Basic ${btoa('editor:demo-editor-password')}`;

/** Reads the posts that the pages must show. @param {string} root the REST root @returns {Promise<{ id: number, title: string }[]>} */
export async function readPosts(root) {
  const posts = await (await fetch(`${root}/core/v2/posts?per_page=3`)).json();
  return posts.map((/** @type {any} */ { id, title }) => ({ id, title: title.rendered }));
}

/**
 * Checks that a page shows the posts of the site.
 *
 * @param {string} url @param {string} root
 */
export async function checkList(url, root) {
  const posts = await readPosts(root);
  const page = await (await fetch(url)).text();
  // Frameworks put comments and attributes between.
  for (const { title } of posts)
    assert(page.includes(title), `${url} does not show "${title}": ${page.slice(0, 2000)}`);
  return posts;
}

/** @param {string} root @param {number} id @param {string} title */
export async function rename(root, id, title) {
  const headers = { 'Content-Type': 'application/json', Authorization: EDITOR };
  const response = await fetch(`${root}/core/v2/posts/${id}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title }),
  });
  assert.equal(response.status, 200, await response.text());
}

/**
 * Checks a gateway that a platform serves, and the client beside it.
 *
 * @param {string} origin
 * @param {string} root the REST root of the site
 * @param {200 | 501} types the expected status of `/types.ts`
 */
export async function checkGateway(origin, root, types) {
  /** @param {string} path @param {RequestInit} [init] */
  const get = async (path, init) => {
    const response = await fetch(origin + path, { signal: AbortSignal.timeout(30_000), ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const posts = await readPosts(root);
  const client = await get('/client');
  assert.deepEqual(JSON.parse(client.text), { posts, validations: [true, false] });

  const list = '/wp-json/core/v2/posts?per_page=3&_fields=id,title';
  assert.equal((await get(list)).status, 200);
  // The first discovery may have ended since.
  await get(list);
  const hit = await get(list);
  assert.match(hit.headers.get('cache-status') ?? '', /hit/);
  assert.deepEqual(
    JSON.parse(hit.text).map((/** @type {any} */ { id }) => id),
    posts.map(({ id }) => id),
  );

  const refused = await get('/wp-json/core/v2/posts?per_page=0');
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [400, 'rest_invalid_param']);

  for (const headers of [
    { 'Accept-Encoding': 'identity' },
    { 'Accept-Encoding': 'gzip' },
    { 'Accept-Encoding': 'br, gzip' },
  ]) {
    const document = await get('/openapi.json', { headers });
    assert.match(JSON.parse(document.text).openapi, /^3\.1/);
    const docs = await get('/docs', { headers });
    assert.match(docs.text, /Harbour Notes/);
    const style = /href="\.\/(docs\/assets\/[^"]+\.css)"/.exec(docs.text)?.[1];
    assert.match((await get(`/${style}`, { headers })).text, /body/);
  }
  assert.equal((await get('/types.ts')).status, types);

  const [first] = posts;
  assert(first);
  const item = `/wp-json/core/v2/posts/${first.id}`;
  for (let count = 0; count < 2; count += 1) await get(item);
  const title = `Renamed ${Date.now()}`;
  await rename(`${origin}/wp-json`, first.id, title);
  assert.match((await get(item)).text, new RegExp(title));
  assert.match((await get(list)).text, new RegExp(title));
  await rename(`${origin}/wp-json`, first.id, first.title);

  const many = await Promise.all(
    Array.from({ length: 24 }, (_, at) => get(`/wp-json/core/v2/posts?per_page=${4 + (at % 3)}`)),
  );
  assert.deepEqual([...new Set(many.map(({ status }) => status))], [200]);
}

/**
 * Waits until something is true.
 *
 * @param {() => Promise<boolean>} check @param {string} problem what is wrong if it never is
 */
export async function waitUntil(check, problem) {
  const until = Date.now() + 20_000;
  while (!(await check())) {
    assert(Date.now() < until, problem);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Checks an app whose page shows the posts: in development with the plugin of Vite, and built.
 *
 * @param {import('./run.mjs').Project} project
 * @param {Commands} commands
 */
export async function checkApp(project, { prepare, dev, check, build, start }) {
  const gateway = await project.site.startGateway([]);
  const root = `${gateway.url}/wp-json`;
  const env = { SITE_URL: root, NUXT_PUBLIC_REST_ROOT: root };
  try {
    if (prepare) await project.run(prepare, env);
    const flags = (/** @type {string} */ port) => ['--host', '127.0.0.1', '--port', port];
    const development = await project.serve((port) => [...dev, ...flags(port)], { env });
    // The plugin has generated the client, which the page needs, and forwards requests.
    await checkList(development.origin, root);
    assert.deepEqual(await readPosts(`${development.origin}/wp-json`), await readPosts(root));
    await development.stop();
    await project.run(check, env);
    await project.run(build, env);
    const server = await project.serve(() => start, { env });
    const [post] = await checkList(server.origin, root);
    assert(post);
    await rename(root, post.id, 'By somebody else');
    await checkList(server.origin, root);
    await rename(root, post.id, post.title);
  } finally {
    await gateway.stop();
  }
}
