// @ts-check
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import ts from 'typescript';
import { readPosts } from './checks.mjs';

/** @typedef {{ version_added?: string | boolean | null, version_removed?: string, flags?: unknown }} Statement */
/** @typedef {{ __compat?: { support: Record<string, Statement | Statement[]> } } & { [member: string]: any }} Feature */
/** A global, or a member of one. @typedef {readonly [global: string, member?: string]} Place */

const BROWSERS = ['chrome', 'firefox', 'safari'];

/**
 * Checks that the client and a validator use nothing that the browsers of two years ago lack: by the syntax of their bundle, by the
 * names in it, and by running it in Chromium without what one of these browsers lacks.
 *
 * @param {import('./run.mjs').Project} project
 */
export async function checkBrowsers(project) {
  const data = JSON.parse(
    await readFile(project.path('node_modules/@mdn/browser-compat-data/data.json'), 'utf8'),
  );
  const now = new Date();
  const date = new Date(now.setFullYear(now.getFullYear() - 2)).toISOString().slice(0, 10);
  const releases = BROWSERS.map((name) => findRelease(data.browsers[name].releases, date));
  const target = BROWSERS.map((name, at) => `${name}${releases[at]}`);
  const { missing, newer } = listFeatures(data, date);

  const flags = ['program.ts', '--bundle', '--format=iife', '--global-name=program', '--log-level=error'];
  const [code, lowered] = await Promise.all(
    ['esnext', target.join()].map((each) => project.run(['esbuild', ...flags, `--target=${each}`])),
  );
  assert(code);
  assert.equal(lowered, code, `a syntax is newer than ${target}`);
  const names = [...namesIn(code)].filter((name) => newer.has(name));
  assert.deepEqual(names, [], `names that are newer than ${target}`);

  const gateway = await project.site.startGateway([]);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.route('**/program', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>A</title>' }),
    );
    await page.addInitScript(remove, missing);
    await page.goto(`${gateway.url}/program`);
    await page.addScriptTag({ content: `${code};globalThis.result = program.useClient();` });
    const { result, removed } = await page.evaluate(async () => {
      const { result, removed } = /** @type {any} */ (globalThis);
      return { result: await result, removed };
    });
    const root = `${gateway.url}/wp-json`;
    const posts = await fetch(`${root}/core/v2/posts?per_page=1`);
    assert.deepEqual(result, {
      posts: await readPosts(root),
      all: Number(posts.headers.get('X-WP-Total')),
      date: '2026-01-02T03:04:05',
      codes: ['rest_cannot_edit', 'rest_post_invalid_id'],
      deletions: [200],
      uploaded: 1,
      issues: 1,
      tags: ['/core/v2/posts'],
    });
    assert(removed.length > 100, `only ${removed} were removed`);
    const share = `of ${missing.length} interfaces that one of them lacks, Chromium has ${removed.length}, which were removed`;
    return `the client's calls, paginate, batch, upload, validators: syntax, names and a run as ${target.join(', ')} (${date}); ${share}`;
  } finally {
    await browser.close();
    await gateway.stop();
  }
}

/** @param {Record<string, { release_date?: string }>} releases @param {string} date */
function findRelease(releases, date) {
  const found = Object.entries(releases).filter(([, { release_date = '9' }]) => release_date <= date);
  return found
    .sort(([, a], [, b]) => String(a.release_date).localeCompare(String(b.release_date)))
    .at(-1)?.[0];
}

/**
 * Lists what one of the browsers lacked, and those of its names that nothing else of the language and no member of the program has.
 *
 * @param {any} data of `@mdn/browser-compat-data` @param {string} date
 */
function listFeatures({ api, browsers, javascript }, date) {
  /** @param {Feature} feature */
  const isPresent = ({ __compat: compat }) =>
    compat === undefined ||
    BROWSERS.every((name) => {
      const [statement] = [compat.support[name] ?? {}].flat();
      const { version_added: added, version_removed: lost, flags } = statement ?? {};
      const released = browsers[name].releases[String(added).replace('≤', '')]?.release_date ?? '9';
      return released <= date && lost === undefined && flags === undefined;
    });
  /** @type {Place[]} */
  const missing = [];
  const present = new Set();
  /** @type {[string, Feature][]} */
  const globals = Object.entries({ ...api, ...javascript.builtins });
  for (const [global, feature] of globals) {
    if (isPresent(feature)) present.add(global);
    else missing.push([global]);
    for (const [key, member] of Object.entries(feature)) {
      const name = key.replace(/_static$/, '');
      if (!/^[a-z]\w*$/i.test(name) || name === global) continue;
      if (isPresent(member)) present.add(name);
      else missing.push([global, name]);
    }
  }
  // Members of other interfaces are named as members of any program are: `path`, `first`.
  const ofLanguage = missing.filter(
    ([global, member]) => member === undefined || Object.hasOwn(javascript.builtins, global),
  );
  const newer = new Set(
    ofLanguage.map(([global, member]) => member ?? global).filter((name) => !present.has(name)),
  );
  return { missing, newer };
}

/** The names of globals and members in a program. @param {string} code @returns {Set<string>} */
function namesIn(code) {
  const names = new Set();
  const source = ts.createSourceFile('program.js', code, ts.ScriptTarget.Latest);
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Runs in the page. @param {Place[]} places */
function remove(places) {
  /** @type {any} */
  const scope = globalThis;
  /** @type {string[]} */
  const removed = [];
  for (const [global, member] of places) {
    const object = global === 'Window' ? scope : scope[global];
    for (const holder of member === undefined ? [scope] : [object, object?.prototype]) {
      const name = member ?? global;
      if (holder && Object.hasOwn(holder, name) && Reflect.deleteProperty(holder, name))
        removed.push(member === undefined ? global : `${global}.${member}`);
    }
  }
  scope.removed = removed;
}
