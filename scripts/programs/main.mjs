#!/usr/bin/env node
// @ts-check
// node scripts/programs/main.mjs --wordpress <folder> --woocommerce <folder> --fluent-boards <folder> [--programs <folder>] [--keep]
//
// A hundred programs for a storefront, for content and for boards, written from the documentation of WooCommerce, WordPress and Fluent
// Boards: which work at a real site, which compile with the client of waygate, before and after `reconcile`, of openapi-fetch and of
// hey-api, and which of the same programs with one mistake each are refused. `declared` has what Fluent Boards' documentation says of
// its responses. WooCommerce 9.9 needs WordPress 6.7, which Debian 12 has not. Installs hey-api in a folder of the system's temporary
// files. Takes five minutes.
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { importerOf } from '../build/modules.mjs';
import { readOptions } from '../options.mjs';
import { installTools } from '../tools/install.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import {
  commonSetup,
  readPrograms,
  runPrograms,
  setupOfWaygate,
  toHeyApi,
  toOpenapiFetch,
  withImports,
  writeFiles,
} from './programs.mjs';
import { fillBoards, fillShop } from './shop.mjs';

const { values: flags } = readOptions(import.meta.url, {
  options: {
    ...{
      wordpress: { type: 'string' },
      woocommerce: { type: 'string' },
      'fluent-boards': { type: 'string' },
    },
    ...{ programs: { type: 'string' }, keep: { type: 'boolean' } },
  },
});
const plugins = [flags.woocommerce, flags['fluent-boards']].map((path) => {
  if (path === undefined) throw new Error('--woocommerce and --fluent-boards are folders of the plugins');
  return path;
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const importModule = await importerOf();
/** @type {typeof import('../../src/generate.ts')} */
const { generate } = await importModule('generate');
/** @type {typeof import('../../src/reconcile/index.ts')} */
const { reconcile } = await importModule('reconcile/index');
/** @type {typeof import('../../src/client/index.ts')} */
const { toClient } = await importModule('client/index');

const programs = await readPrograms(flags.programs && pathToFileURL(`${resolve(flags.programs)}/`));
// Programs with a mistake run last.
const twins = [
  ...programs.map(({ name, right }) => ({ file: `${name}-right`, text: right })),
  ...programs.map(({ name, wrong }) => ({ file: `${name}-wrong`, text: wrong })),
];
await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
const folder = await mkdtemp(join(root, 'node_modules/.cache/waygate-programs-'));
const site = await startWordPress({ plugins, ...(flags.wordpress && { wordpress: flags.wordpress }) });
try {
  const { user, password } = site.users.administrator;
  const { ids, customer } = await fillShop(site);
  const setup = {
    baseUrl: `${site.url}wp-json`,
    ids: { ...ids, ...(await fillBoards(site)) },
    admin: { username: user, password },
    customer,
  };
  const { document } = await generate(site.url);
  const client = await toClient(document);
  const failed = await runPrograms(join(folder, 'run'), setup, client, twins);
  // Writes come last: they change what programs expect.
  const { overlay } = await reconcile(site.url, {
    auth: { user, password },
    maxRequests: 3000,
    writes: true,
  });
  const sampled = await generate(site.url, { overlay });
  const ours = { 'client.ts': client, 'setup.ts': setupOfWaygate(setup) };
  const declared = await readFile(new URL('declared.txt', import.meta.url), 'utf8');
  const reconciled = { ...ours, 'client.ts': await toClient(sampled.document) };
  const errors = {
    waygate: await compile('waygate', (text) => text, ours),
    'waygate, declared': await compile('declared', (text) => text, { ...ours, 'declared.ts': declared }),
    'waygate, reconciled': await compile('reconciled', (text) => text, reconciled),
    'waygate, reconciled and declared': await compile('both', (text) => text, {
      ...reconciled,
      'declared.ts': declared,
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

/** @typedef {import('./programs.mjs').Setup} Setup */

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
export const careful = visitor;
export const results = site;
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
export const careful = visitor;
export const results = site;
`;
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
    return [`${file}.ts`, withImports(translate(text))];
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
