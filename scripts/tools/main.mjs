#!/usr/bin/env node
// @ts-check
// node scripts/tools/main.mjs [--all] [--only hey-api,orval] [--keep] [<document.json>…]
//
// Reads documents with other tools: linters, validators and generators. What a generator writes is compiled with tsc, and one
// operation is called through the example gateway. Requires npm run build. Prints a table; the exit code is 1 if a tool failed.
// `--all` takes about ten minutes.
// Without arguments it reads the documents of the example sites; `--all` adds WordPress 7.1 and a shop of 1,200 operations;
// document arguments replace them. openapi-generator is left out: npm's @openapitools/openapi-generator-cli contains its jar up to 5.0.0-beta2, which reads OpenAPI 3.0 only and fails at 3.1; since 2.0.3 it contains none, and downloads one from Maven.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readOptions } from '../read-options.mjs';
import { createDocuments } from './documents.mjs';
import {
  convertForPostman,
  generateWithHeyApi,
  generateWithKubb,
  generateWithOpenapiTypescript,
  generateWithOrval,
} from './generators.mjs';
import { installTools } from './install.mjs';
import {
  lintWithRedocly,
  lintWithSpectral,
  validateWithScalar,
  validateWithSwaggerParser,
} from './linters.mjs';

/** @type {readonly (readonly [name: string, tool: (run: ToolRun) => Promise<string>])[]} */
const TOOLS = [
  ['redocly', lintWithRedocly],
  ['spectral', lintWithSpectral],
  ['swagger-parser', validateWithSwaggerParser],
  ['scalar', validateWithScalar],
  ['openapi-typescript', generateWithOpenapiTypescript],
  ['hey-api', generateWithHeyApi],
  ['orval', generateWithOrval],
  ['kubb', generateWithKubb],
  ['postman', convertForPostman],
];

/**
 * One tool and one document.
 *
 * @typedef {object} ToolRun
 * @property {string} documentPath
 * @property {any} document
 * @property {string} baseUrl URL of the REST API at the example gateway; of no server if the document is of another site
 * @property {(name: string) => string} path of a file in the folder of this run
 * @property {(name: string, content: string) => Promise<string>} write writes a file in that folder; resolves to its path
 * @property {(bin: string, args: string[], options?: { anyExit: boolean }) => Promise<{ stdout: string }>} exec runs a file of an
 *   installed package with Node
 * @property {(source: string) => Promise<string>} execModule runs a module; resolves to its output
 * @property {(source: string) => Promise<string>} compileAndCall compiles the folder with a program that passes the result
 *   of the operation `getIndex` to `finish`, and runs it if the example gateway serves the document
 */

/** @typedef {{ readonly name: string, readonly text: string, readonly mount: string | null }} ToolDocument */

/** Checks the result of `getIndex`, whose type is that of the generator. */
const FINISH = `function finish(index: unknown): void {
  if (typeof index !== 'object' || index === null || !('routes' in index)) throw new Error('no index');
  console.log('called');
}`;

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
};

const run = promisify(execFile);
const { values: flags, positionals } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const only = flags.only?.split(',');
const MAX_OUTPUT = { maxBuffer: 256 * 1024 * 1024, timeout: 900_000 };

const { folder: tools, node } = await installTools(only);
const work = await mkdtemp(join(tmpdir(), 'waygate-tools-run-'));
await symlink(join(tools, 'node_modules'), join(work, 'node_modules'));
const example = await startExample();
/** @typedef {{ document: string, tool: string, seconds: number, result: string, failed: boolean }} ToolResult */
/** @type {ToolResult[]} */
const results = [];
try {
  for (const document of await listDocuments()) {
    for (const [tool, use] of TOOLS.filter(([name]) => only === undefined || only.includes(name))) {
      const result = await runTool(tool, use, document);
      printRow(result);
      results.push(result);
    }
  }
} finally {
  example.stop();
  if (flags.keep) console.log(`output: ${work}`);
  else await rm(work, { recursive: true });
}
const failed = results.filter((each) => each.failed).length;
console.log(`\n${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @returns {Promise<readonly ToolDocument[]>} */
async function listDocuments() {
  if (positionals.length === 0) return createDocuments({ all: flags.all });
  return Promise.all(
    positionals.map(async (file) => ({
      name: basename(file, '.json'),
      text: await readFile(resolve(file), 'utf8'),
      mount: null,
    })),
  );
}

/**
 * @param {string} tool
 * @param {(run: ToolRun) => Promise<string>} use
 * @param {ToolDocument} document
 * @returns {Promise<ToolResult>}
 */
async function runTool(tool, use, { name, text, mount }) {
  const folder = join(work, `${name}-${tool}`);
  await mkdir(folder);
  const start = performance.now();
  let result = '';
  let hasFailed = false;
  try {
    result = await use(await createRun(folder, text, mount));
  } catch (error) {
    hasFailed = true;
    const { message, stdout = '', stderr = '' } = /** @type {any} */ (error);
    result = [stdout, stderr, message].join('\n').trim().split('\n').slice(0, 12).join('\n').slice(0, 2000);
  }
  const seconds = (performance.now() - start) / 1000;
  return { document: name, tool, seconds, result, failed: hasFailed };
}

/**
 * @param {string} folder
 * @param {string} text
 * @param {string | null} mount
 * @returns {Promise<ToolRun>}
 */
async function createRun(folder, text, mount) {
  const baseUrl = mount === null ? 'http://127.0.0.1:1' : `${example.url}/${mount}/wp-json`;
  const path = (/** @type {string} */ name) => join(folder, name);
  const write = async (/** @type {string} */ name, /** @type {string} */ content) => {
    await writeFile(path(name), content);
    return path(name);
  };
  /** @type {ToolRun['exec']} */
  const exec = async (bin, args, { anyExit } = { anyExit: false }) => {
    const file = join(tools, 'node_modules', bin);
    const options = { ...MAX_OUTPUT, cwd: folder, env: { ...process.env, NO_COLOR: '1', CI: '1' } };
    try {
      return await run(node, [file, ...args], options);
    } catch (error) {
      const { stdout } = /** @type {any} */ (error);
      if (anyExit && stdout) return { stdout };
      throw error;
    }
  };
  const execModule = async (/** @type {string} */ source) => {
    const file = await write('run.mjs', source);
    return (await run(node, [file], { ...MAX_OUTPUT, cwd: folder })).stdout.trim();
  };
  /** @type {ToolRun['compileAndCall']} */
  const compileAndCall = async (source) => {
    await write('call.ts', `const BASE_URL = ${JSON.stringify(baseUrl)};\n${FINISH}\n${source}`);
    await write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['**/*.ts'] }));
    await exec('typescript/bin/tsc', ['-p', path('tsconfig.json')]);
    if (mount === null) return 'compiles';
    await run(join(tools, 'node_modules', '.bin', 'esbuild'), [
      path('call.ts'),
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--log-level=error',
      `--outfile=${path('call.mjs')}`,
    ]);
    return `compiles, ${(await run(node, [path('call.mjs')], MAX_OUTPUT)).stdout.trim()}`;
  };
  const documentPath = await write('document.json', text);
  return { documentPath, document: JSON.parse(text), baseUrl, path, write, exec, execModule, compileAndCall };
}

/** Starts `waygate example` on a free port. */
async function startExample() {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'example', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const url = /(http:\/\/[\d.]+:\d+)\/content\b/.exec(output)?.[1];
    if (url !== undefined) return { url, stop: () => child.kill() };
  }
  throw new Error('the example gateway does not start: npm run build');
}

/** @param {ToolResult} result */
function printRow({ document, tool, seconds, result, failed: hasFailed }) {
  const [first, ...others] = result.split('\n');
  const mark = hasFailed ? 'FAILED' : 'ok';
  console.log(
    `${document.padEnd(18)} ${tool.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s  ${mark}  ${first}`,
  );
  for (const line of others) console.log(`    ${line}`);
}
