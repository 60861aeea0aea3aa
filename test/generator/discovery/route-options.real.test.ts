import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../cli/run-command.ts';
import { compileFiles } from '../../support/compile.ts';
import { useFolder } from '../../support/folder.ts';
import { startWordPress, type WordPress } from '../../support/wordpress.ts';

/**
 * Adds a field to books when their request is dispatched, as Advanced Custom Fields does: the root index is made
 * before. Hides a namespace from the root index, as CoCart does.
 */
const PLUGIN = `<?php
add_action('init', function () {
    register_post_type('book', ['public' => true, 'label' => 'Books', 'show_in_rest' => true, 'rest_base' => 'books',
        'supports' => ['title', 'custom-fields']]);
    register_post_meta('book', 'isbn', ['type' => 'string', 'single' => true, 'show_in_rest' => true]);
});
function custom_fields_schema() {
    return ['type' => 'object', 'context' => ['view', 'edit'], 'properties' => [
        'year' => ['type' => ['integer', 'null']], 'cover' => ['type' => 'string', 'enum' => ['hard', 'soft']]]];
}
add_filter('rest_pre_dispatch', function ($result, $server, $request) {
    if (!preg_match('#^/wp/v2/books\\b#', $request->get_route())) return $result;
    register_rest_field('book', 'fields', [
        'schema' => custom_fields_schema(),
        'get_callback' => fn($post) => get_post_meta($post['id'], 'fields', true) ?: ['year' => null],
        'update_callback' => fn($value, $post) => update_post_meta($post->ID, 'fields', $value),
    ]);
    return $result;
}, 5, 3);
add_action('rest_api_init', function () {
    register_rest_route('hidden/v1', '/cart', ['methods' => 'GET', 'permission_callback' => '__return_true',
        'callback' => fn() => ['total' => '12.00']]);
});
add_filter('rest_index', function ($response) {
    $data = $response->get_data();
    $data['namespaces'] = array_values(array_diff($data['namespaces'], ['hidden/v1']));
    $data['routes'] = array_filter($data['routes'], fn($route) => !str_starts_with($route, '/hidden/'), ARRAY_FILTER_USE_KEY);
    $response->set_data($data);
    return $response;
});
`;

const folder = useFolder('file');
let site: WordPress;
let plugins: string;
beforeAll(async () => {
  plugins = await mkdtemp(join(tmpdir(), 'waygate-mu-'));
  await writeFile(join(plugins, 'books.php'), PLUGIN);
  site = await startWordPress({ muPlugins: plugins });
  const args = ['--namespaces', 'hidden/v1', '--client', '--only', 'document,client'];
  const { out } = await runCommand(['generate', site.url, '--out', folder(), '--name', 'site', ...args]);
  expect(out).toContain('operations');
}, 120_000);
afterAll(async () => {
  await site.stop();
  await rm(plugins, { recursive: true });
});

const read = (file: string): Promise<string> => readFile(join(folder(), file), 'utf8');

test('a field that a plugin registers for each request, and a hidden namespace, are in types and arrive', async () => {
  const client = await read('site.client.ts');
  const program = `import { createClient } from './site.client.ts';
export async function run(baseUrl: string, auth: { username: string; password: string }) {
  const client = createClient({ baseUrl, auth });
  const written = await client.POST('/wp/v2/books', {
    body: { title: 'Emma', status: 'publish', fields: { year: 1815, cover: 'hard' }, meta: { isbn: '1' } },
  });
  if (written.error) throw written.error;
  const { id } = written.data;
  const changed = await client.POST('/wp/v2/books/{id}', { path: { id }, body: { fields: { year: 1816, cover: 'soft' } } });
  const { data } = await client.GET('/wp/v2/books/{id}', { path: { id }, query: { _fields: ['fields', 'meta'] } });
  const year: number | null | undefined = data?.fields?.year;
  const isbn: string | undefined = data?.meta.isbn;
  const cart = await client.GET('/hidden/v1/cart');
  return { year, isbn, cover: changed.data?.fields?.cover, cart: cart.data };
}
`;
  const wrong = program.replace('year: 1815', 'yaer: 1815');
  const compiled = compileFiles([
    ['site.client.ts', client],
    ['program.ts', program],
    ['wrong.ts', wrong],
  ]);
  expect(Object.fromEntries(compiled)).toEqual({ 'wrong.ts': [expect.stringContaining('yaer')] });
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  for (const [name, text] of [
    ['site.client', client],
    ['program', program],
  ] as const)
    await writeFile(
      join(folder(), `${name}.mjs`),
      ts.transpile(text.replace('site.client.ts', 'site.client.mjs'), options),
    );
  const { run } = await import(/* @vite-ignore */ pathToFileURL(join(folder(), 'program.mjs')).href);
  const { password, user } = site.users.administrator;
  expect(await run(`${site.url}wp-json`, { username: user, password })).toEqual({
    ...{ year: 1816, isbn: '1', cover: 'soft' },
    cart: { total: '12.00' },
  });
});
