// @ts-check
import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { readPosts } from './checks.mjs';

const METRO = 'metro build index.ts --config metro.config.cjs --out bundle.js --platform android --dev false';
const HERMES = 'node_modules/hermes-engine-cli/linux64-bin/hermes';

/**
 * Bundles a program with Metro, and runs it in Hermes with the interfaces that React Native itself sets up. Hermes has no network: the
 * program prints the first request without a known response, which is sent here, and runs again.
 *
 * @param {import('./run.mjs').Project} project
 */
export async function checkReactNative(project) {
  const { root } = project.site;
  await project.run(/** @type {[string]} */ (METRO.split(' ')));
  const bundle = await readFile(project.path('bundle.js'), 'utf8');
  /** @type {Record<string, { status: number, headers: string, response: string }>} */
  const responses = {};
  for (;;) {
    await project.write('run.js', `var RESPONSES = ${JSON.stringify(responses)};\n${bundle}`);
    const output = await project.run([HERMES, '-w', 'run.js']);
    const request = /^request (.*)$/m.exec(output)?.[1];
    if (request === undefined) {
      const posts = await fetch(`${root}/core/v2/posts?per_page=1`);
      assert.deepEqual(JSON.parse(output), {
        posts: await readPosts(root),
        count: Number(posts.headers.get('X-WP-Total')),
        title: 'From a phone',
        code: 'rest_post_invalid_id',
      });
      return Object.keys(responses).length;
    }
    assert(!Object.hasOwn(responses, request), output);
    const { url, ...init } = JSON.parse(request);
    const response = await fetch(url, init);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    responses[request] = { status: response.status, headers, response: await response.text() };
  }
}
