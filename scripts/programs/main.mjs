#!/usr/bin/env node
// @ts-check
// node scripts/programs/main.mjs --wordpress <folder> --woocommerce <folder> [--programs <folder>] [--keep]
//
// Sixty programs for a storefront and for content, written from the documentation of WooCommerce and WordPress: which work at a
// real site, which compile with the client of waygate, openapi-fetch and hey-api, from one document, and which of the same
// programs with one mistake each are refused. WooCommerce 9.9 needs WordPress 6.7, which Debian 12 has not. Installs hey-api in a
// folder of the system's temporary files. Takes two minutes.
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { importerOf } from '../build/modules.mjs';
import { installTools } from '../tools/install.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { readPrograms, toHeyApi, toOpenapiFetch } from './programs.mjs';
import { ADDRESS, fillShop } from './shop.mjs';

const { values: flags } = parseArgs({
  options: {
    ...{ wordpress: { type: 'string' }, woocommerce: { type: 'string' }, programs: { type: 'string' } },
    keep: { type: 'boolean' },
  },
});
if (!flags.woocommerce) throw new Error('--woocommerce <folder of the plugin> is missing');

const root = fileURLToPath(new URL('../..', import.meta.url));
const importModule = await importerOf();
/** @type {typeof import('../../src/generate.ts')} */
const { generate } = await importModule('generate');
/** @type {typeof import('../../src/client/index.ts')} */
const { toClient } = await importModule('client/index');

const programs = await readPrograms(flags.programs && pathToFileURL(`${resolve(flags.programs)}/`));
const twins = programs.flatMap(({ name, right, wrong }) => [
  { file: `${name}-right`, text: right },
  { file: `${name}-wrong`, text: wrong },
]);
await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
const folder = await mkdtemp(join(root, 'node_modules/.cache/waygate-programs-'));
const site = await startWordPress({
  plugins: [flags.woocommerce],
  ...(flags.wordpress && { wordpress: flags.wordpress }),
});
try {
  const { ids, customer } = await fillShop(site);
  const { document } = await generate(site.url);
  const setup = setupValues(ids);
  const client = await toClient(document);
  const failed = await runPrograms({ ...setup, customer }, client);
  const errors = {
    waygate: await compile('waygate', (text) => text, {
      'client.ts': client,
      'setup.ts': setupOfWaygate(setup),
    }),
    'openapi-fetch': await compile('openapi-fetch', toOpenapiFetch, {
      'site.d.ts': astToString(
        await openapiTypeScript(JSON.stringify(document), { defaultNonNullable: false }),
      ),
      'setup.ts': setupOfOpenapiFetch(setup),
    }),
    'hey-api': await compile('hey-api', toHeyApi(await generateHeyApi(document)), {
      'setup.ts': setupOfHeyApi(setup),
    }),
  };
  report(failed, errors);
} finally {
  await site.stop();
  if (flags.keep) console.log(`output: ${folder}`);
  else await rm(folder, { recursive: true });
}

/** @typedef {ReturnType<typeof setupValues>} Setup */

/** @param {Record<string, number>} ids */
function setupValues(ids) {
  const { user: username, password } = site.users.administrator;
  return {
    baseUrl: `${site.url}wp-json`,
    ids,
    admin: { username, password },
    customer: { username: '', password: '' },
  };
}

/** What the setup of each client exports beside its clients. @param {Setup} setup */
function commonSetup({ ids }) {
  return `export const ids = ${JSON.stringify(ids)};\nexport const address = ${JSON.stringify(ADDRESS)};\n`;
}

/** @param {Setup} setup */
function setupOfWaygate(setup) {
  const base = `baseUrl: ${JSON.stringify(setup.baseUrl)}, throw: true`;
  return `import { createClient, wooStore } from './client.ts';
${commonSetup(setup)}
export const site = createClient({ ${base} });
export const admin = createClient({ ${base}, auth: ${JSON.stringify(setup.admin)} });
export const signedIn = createClient({ ${base}, auth: ${JSON.stringify(setup.customer)}, middleware: [wooStore()] });
export const visitor = () => createClient({ ${base}, middleware: [wooStore()] });
`;
}

/**
 * It is compiled only. Without `defaultNonNullable: false` an argument with a default would be required.
 *
 * @param {Setup} setup
 */
function setupOfOpenapiFetch(setup) {
  return `import createClient from 'openapi-fetch';
import type { paths } from './site.d.ts';
${commonSetup(setup)}
export const site = createClient<paths>();
export const admin = site;
export const signedIn = site;
export const visitor = () => site;
export async function ok<T extends { data?: unknown; response: Response }>(call: Promise<T>) {
  const { data, response } = await call;
  if (data === undefined) throw new Error(String(response.status));
  return { data: data as Exclude<T['data'], undefined>, response };
}
`;
}

/** It is compiled only. @param {Setup} setup */
function setupOfHeyApi(setup) {
  return `import { createClient } from './out/client';
export * as sdk from './out/sdk.gen';
${commonSetup(setup)}
export const site = createClient();
export const admin = site;
export const signedIn = site;
export const visitor = () => site;
`;
}

/**
 * Runs the programs at the site, each with a visitor of its own, those with a mistake last.
 *
 * @param {Setup} setup
 * @param {string} client
 * @returns {Promise<ReadonlyMap<string, string>>} the errors by file
 */
async function runPrograms(setup, client) {
  const own = join(folder, 'run');
  await writeFiles(own, { 'client.mjs': emit(client), 'setup.mjs': emit(setupOfWaygate(setup)) });
  /** @type {Map<string, string>} */
  const failed = new Map();
  for (const { file, text } of [...twins].sort(
    (a, b) => Number(a.file.endsWith('wrong')) - Number(b.file.endsWith('wrong')),
  )) {
    await writeFiles(own, { [`${file}.mjs`]: emit(head(text) + text) });
    try {
      await import(pathToFileURL(join(own, `${file}.mjs`)).href);
    } catch (error) {
      failed.set(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return failed;
}

/** @param {string} text */
function emit(text) {
  const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpile(text, target).replace(/'\.\/(client|setup)\.ts'/g, "'./$1.mjs'");
}

/** What programs import: what they name. @param {string} text */
function head(text) {
  const names = ['address', 'admin', 'ids', 'ok', 'sdk', 'signedIn', 'site'].filter((name) =>
    new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(text),
  );
  const isVisited = /\bshop\b/.test(text);
  return `import assert from 'node:assert/strict';
import { ${[...names, ...(isVisited ? ['visitor'] : [])].join(', ')} } from './setup.ts';
${isVisited ? 'const shop = visitor();\n' : ''}`;
}

/**
 * Compiles all programs with a client.
 *
 * @param {string} name
 * @param {import('./programs.mjs').Translation} translate
 * @param {Record<string, string>} files
 * @returns {Promise<ReadonlyMap<string, string>>} the first error of each file
 */
async function compile(name, translate, files) {
  const own = join(folder, name);
  const texts = twins.map(({ file, text }) => {
    const translated = translate(text);
    return [`${file}.ts`, `${head(translated)}${translated}\nexport {};\n`];
  });
  await writeFiles(own, {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: STRICT(), include: ['*.ts'] }),
    ...files,
    ...Object.fromEntries(texts),
  });
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', own, '--pretty', 'false'], {
    cwd: own,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  /** @type {Map<string, string>} */
  const errors = new Map();
  for (const [, file = '', message = ''] of stdout.matchAll(/^([^\s(][^(]*)\(\d+,\d+\): error (.*)$/gm)) {
    const key = file.replace('.ts', '');
    if (!errors.has(key)) errors.set(key, message);
  }
  return errors;
}

function STRICT() {
  return {
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true },
    ...{ allowImportingTsExtensions: true, target: 'es2023', module: 'esnext', moduleResolution: 'bundler' },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
  };
}

/** Generates hey-api's functions. @param {any} document @returns {Promise<ReadonlyMap<string, string>>} their names */
async function generateHeyApi(document) {
  const { folder: tools, node } = await installTools(['hey-api']);
  const own = join(folder, 'hey-api');
  await writeFiles(own, { 'site.json': JSON.stringify(document) });
  const bin = join(tools, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  await promisify(execFile)(
    node,
    [bin, '-i', 'site.json', '-o', 'out', '-c', '@hey-api/client-fetch', '--no-log-file'],
    {
      cwd: own,
      maxBuffer: 2 ** 26,
    },
  );
  return new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        operationId ? [[`${method.toUpperCase()} ${path}`, operationId]] : [],
      ),
    ),
  );
}

/** @param {string} own @param {Record<string, string>} files */
async function writeFiles(own, files) {
  await mkdir(own, { recursive: true });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(own, file), text)));
}

/**
 * @param {ReadonlyMap<string, string>} failed
 * @param {Record<string, ReadonlyMap<string, string>>} errors
 */
function report(failed, errors) {
  const count = (/** @type {(name: string) => boolean} */ holds) =>
    `${programs.filter(({ name }) => holds(name)).length} of ${programs.length}`;
  console.log(
    `WordPress ${site.version}: ${count((name) => !failed.has(`${name}-right`))} work, ${count((name) => failed.has(`${name}-wrong`))} with a mistake fail`,
  );
  console.table(
    Object.fromEntries(
      Object.entries(errors).map(([name, found]) => [
        name,
        {
          'what works compiles': count((program) => !found.has(`${program}-right`)),
          'the mistake is refused': count((program) => found.has(`${program}-wrong`)),
          both: count((program) => !found.has(`${program}-right`) && found.has(`${program}-wrong`)),
        },
      ]),
    ),
  );
  for (const { name, title } of programs) {
    const right = failed.get(`${name}-right`);
    if (right !== undefined) console.log(`fails at the site: ${name} (${title}): ${right}`);
    if (!failed.has(`${name}-wrong`)) console.log(`works at the site with its mistake: ${name} (${title})`);
    for (const [client, found] of Object.entries(errors)) {
      const error = found.get(`${name}-right`);
      if (error !== undefined) console.log(`${client} refuses: ${name} (${title}): ${error}`);
      else if (!found.has(`${name}-wrong`))
        console.log(`${client} lets the mistake through: ${name} (${title})`);
    }
  }
  for (const [client, found] of Object.entries(errors)) {
    for (const [file, error] of found)
      if (!/-(?:right|wrong)$/.test(file)) console.log(`${client}: ${file}: ${error}`);
  }
}
