import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../../src/generate.ts';
import { createReference } from '../../../src/generator/reference/reference.ts';
import { PLACEHOLDERS } from '../../../src/generator/reference/sample-request.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { useWordPress } from '../../support/wordpress.ts';

/** Operations whose samples the site refuses, and why: at most one in twenty. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['GET /wp/v2/block-directory/search', 'WordPress.org responds to it, and the site may not contact it.'],
  ['GET /wp/v2/pattern-directory/patterns', 'WordPress.org responds to it, and the site may not contact it.'],
  ['GET /wp-block-editor/v1/export', 'The site needs the extension zip of PHP.'],
  ['POST /wp/v2/menu-items', 'The item is a custom one, which needs an address, and samples have none.'],
  ['POST /wp/v2/plugins', 'The site would download the plugin from WordPress.org.'],
]);

const SEED = Number(process.env['FUZZ_SEED'] ?? 0);

/** Whom a page names, and a role of theirs. */
const ROLES: readonly (readonly [users: string, role: string])[] = [
  ['an editor', 'editor'],
  ['an administrator', 'administrator'],
  ['an author', 'author'],
  ['a contributor', 'contributor'],
  ['a signed-in user', 'subscriber'],
  // Of plugins and newer versions, by their permission.
  ['a user with', 'administrator'],
  ['the users that its requests need', 'editor'],
];

/** A folder below node_modules, which git ignores. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });
let folder: string;
let running: TestGateway;
beforeAll(async () => {
  await mkdir(CACHE, { recursive: true });
  folder = await mkdtemp(join(CACHE, 'waygate-samples-'));
  running = await startGateway({ gateway: { sites: [{ url: site().url }] } });
});
afterAll(() => rm(folder, { recursive: true }));

/** An operation as its page shows it. Both samples are empty if it has none. */
interface ShownOperation {
  readonly name: string;
  readonly access: string;
  readonly curl: string;
  readonly program: string;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...[['lt', '<'] as const, ['gt', '>'] as const, ['quot', '"'] as const],
  ...[['#39', "'"] as const, ['amp', '&'] as const],
]);

async function readPage(address: string): Promise<readonly ShownOperation[]> {
  const html = await (await running.request(`/docs/${address}`)).text();
  return html
    .split('<section class="operation"')
    .slice(1)
    .map((section) => {
      const find = (pattern: RegExp): string =>
        (pattern.exec(section)?.[1] ?? '')
          .replace(/<[^>]*>/g, '')
          .replace(/&([a-z#0-9]+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
      return {
        name: find(/data-method="([^"]*)"/).concat(' ', find(/data-path="([^"]*)"/)),
        access: find(/<p class="access">([\s\S]*?)<\/p>/),
        curl: find(/<summary>curl<\/summary><pre[^>]*>([\s\S]*?)<\/pre>/),
        program: find(/<summary>TypeScript<\/summary><pre[^>]*>([\s\S]*?)<\/pre>/),
      };
    });
}

interface Reader {
  readonly username: string;
  readonly password: string;
}

/** Creates what the path of a sample names, and a user such as the page names. */
async function prepareSite({ access, curl }: ShownOperation): Promise<Reader> {
  const [, fill = ''] = /^curl 'https?:\/\/[^/]*(\/[^?']*)/.exec(curl) ?? [];
  const [, role = ''] = ROLES.find(([users]) => access.includes(users)) ?? [];
  const response = await fetch(`${site().url}?${new URLSearchParams({ fill, role })}`);
  return response.json();
}

/** Enters what a reader enters: the credentials in place of the placeholders, and a page of the site in place of an example. */
function enter(code: string, { password, username }: Reader): string {
  return code
    .replace(`${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`, `${username}:${password}`)
    .replace(`username: '${PLACEHOLDERS.username}'`, `username: '${username}'`)
    .replace(`password: '${PLACEHOLDERS.password}'`, `password: '${password}'`)
    .replace('https://example.com/winter-market', `${site().url}?p=42`)
    .replace(
      encodeURIComponent('https://example.com/winter-market'),
      encodeURIComponent(`${site().url}?p=42`),
    )
    .replaceAll('https://example.com/', site().url)
    .replaceAll(encodeURIComponent('https://example.com/'), encodeURIComponent(site().url));
}

/** @returns the response, if it is an error */
async function runCurl(code: string): Promise<string | undefined> {
  const script = `curl() { command curl --silent --write-out '\\n%{http_code}' "$@"; }\n${code}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { cwd: folder });
  return /\n[23]\d\d$/.test(stdout) ? undefined : stdout.slice(0, 500);
}

/** @returns the error of the client, as text */
async function runProgram(code: string, name: string): Promise<string | undefined> {
  const path = join(folder, `${name}.mjs`);
  const program = code
    .replace('./site.client.ts', './site.client.mjs')
    .replace("openAsBlob('photo.jpg')", `openAsBlob(${JSON.stringify(join(folder, 'photo.jpg'))})`)
    .replace('console.log(data ?? error);', 'export const failure = error;');
  await writeFile(path, program);
  const { failure } = await import(/* @vite-ignore */ pathToFileURL(path).href);
  return failure === undefined ? undefined : JSON.stringify(failure).slice(0, 500);
}

test('the samples of the pages run at the site, as the user that the page names', async () => {
  const { document, files } = await generate(running.origin, { name: 'site', client: true });
  const { outputText } = ts.transpileModule(files.get('site.client.ts') ?? '', {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  await writeFile(join(folder, 'site.client.mjs'), outputText);
  const { pages } = createReference(document, 'A site');
  const shown = (await Promise.all(pages.map(({ address }) => readPage(address)))).flat();
  const sampled = shown.filter(({ curl }) => curl !== '');
  const unnamed = sampled.filter(
    ({ access, curl }) => curl.includes('--user') && !ROLES.some(([users]) => access.includes(users)),
  );
  expect(unnamed).toEqual([]);

  const refused = new Map<string, string>();
  for (const [at, operation] of sampled.entries()) {
    const { curl, name, program } = operation;
    const reader = await prepareSite(operation);
    if (curl.includes('photo.jpg')) {
      await copyFile(join(site().folder, 'wp-content/uploads/photo.jpg'), join(folder, 'photo.jpg'));
    }
    // Both forms are made from one request, so each operation runs in one of them, and with the next seed in the other.
    const isCurl = (at + SEED) % 2 === 0;
    const failure = isCurl
      ? await runCurl(enter(curl, reader))
      : await runProgram(enter(program, reader), `sample-${at}`);
    if (failure !== undefined) refused.set(name, failure);
  }
  expect([...refused].filter(([name]) => !REFUSED.has(name))).toEqual([]);
  expect(refused.size / sampled.length).toBeLessThanOrEqual(0.05);
  // WordPress 6.1 runs the item of a template for requests to its revisions and autosaves, and refuses to delete a revision.
  expect([sampled.length, shown.length - sampled.length]).toEqual([162, 16]);
}, 600_000);
