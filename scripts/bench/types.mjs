// @ts-check
// npm run bench:types [operations]: the cost of types for a compiler and for an editor: the generated client beside
// openapi-typescript's types with openapi-fetch, for the same ten calls at a stub site. Prints tables; needs `npm run build`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { toClient, toOpenApi } from '../../dist/index.js';
import { importerOf } from '../build/modules.mjs';
import { shop } from './shop.mjs';
import { OURS, THEIRS } from './type-programs.mjs';

const OPERATIONS = Number(process.argv[2] ?? 1_200);
const RUNS = 3;
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/waygate-bench-types');

/** @typedef {typeof import('../../src/discovery/index.ts')} Discovery */
/** @type {Discovery} */
const { readIndex } = await (await importerOf())('discovery/index');

/** @typedef {{ name: string, files: Record<string, string>, program: string }} Contender */

const document = createDocument();
/** @type {readonly Contender[]} */
const contenders = [
  {
    name: 'waygate',
    files: { 'site.ts': await toClient(document, { name: 'site' }) },
    program: OURS,
  },
  {
    name: 'openapi-fetch',
    files: { 'site.d.ts': astToString(await openapiTypeScript(JSON.stringify(document))) },
    program: THEIRS,
  },
];
rmSync(folder, { recursive: true, force: true });
for (const { name, files, program } of contenders) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  for (const [file, text] of Object.entries({ ...files, 'program.ts': program })) {
    writeFileSync(join(own, file), text);
  }
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT(), include: ['.'] }));
}
for (const compiler of ['typescript', 'typescript-7']) {
  console.log(`\ntsc of ${compiler}, least of ${RUNS} runs`);
  /** @type {Record<string, Record<string, number>>} */
  const rows = {};
  // The runs alternate, so that a busy machine slows both.
  for (let run = 0; run < RUNS; run++) {
    for (const { name } of contenders) {
      for (const [figure, value] of Object.entries(compile(compiler, name))) {
        const least = Math.min(rows[figure]?.[name] ?? Number.POSITIVE_INFINITY, value);
        rows[figure] = { ...rows[figure], [name]: least };
      }
    }
  }
  for (const row of Object.values(rows)) {
    row['ratio'] = Number(((row['waygate'] ?? 0) / (row['openapi-fetch'] ?? 1)).toFixed(2));
  }
  console.table(rows);
}
console.log("\ncompletion of client.GET(''), after an edit (tsserver 5.9)");
/** @type {Record<string, object>} */
const completions = {};
for (const { name, program } of contenders) completions[name] = await complete(name, program);
console.table(completions);
console.log(`GET paths: ${Object.values(document.paths ?? {}).filter((item) => item?.get).length}`);
rmSync(folder, { recursive: true, force: true });

function STRICT() {
  return {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
  };
}

function createDocument() {
  const address = {
    base: 'https://example.com/',
    root: 'https://example.com/wp-json/',
    spelling: /** @type {const} */ ('pretty'),
    prefix: 'wp-json',
  };
  return toOpenApi({ address, ...readIndex(shop(OPERATIONS)) }).document;
}

/** @param {string} compiler @param {string} name @returns {Record<string, number>} */
function compile(compiler, name) {
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', join(folder, name), '--extendedDiagnostics', '--pretty', 'false'],
    { encoding: 'utf8' },
  );
  if (/error TS/.test(stdout)) throw new Error(stdout.slice(0, 2_000));
  /** @param {string} label */
  const figure = (label) =>
    Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1] ?? Number.NaN);
  return {
    'total, s': figure('Total time'),
    'check, s': figure('Check time'),
    'memory, MB': Math.round(figure('Memory used') / 1024),
    types: figure('Types'),
    instantiations: figure('Instantiations'),
  };
}

/**
 * Opens the program in tsserver, and asks five times for the completion of a path, each time after an edit.
 *
 * @param {string} name
 * @param {string} program
 */
async function complete(name, program) {
  const server = spawn(process.execPath, [join(root, 'node_modules/typescript/lib/tsserver.js')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  /** @type {Map<number, (body: unknown) => void>} */
  const waiting = new Map();
  let received = '';
  server.stdout.setEncoding('utf8').on('data', (text) => {
    received += text;
    for (const line of received.split('\n').slice(0, -1)) {
      if (!line.startsWith('{')) continue;
      const message = JSON.parse(line);
      if (message.type === 'response') waiting.get(message.request_seq)?.(message.body);
    }
    received = received.slice(received.lastIndexOf('\n') + 1);
  });
  let sequence = 0;
  /** @param {string} command @param {object} args @returns {Promise<{ entries?: unknown[] } | undefined>} */
  const request = (command, args) => {
    const seq = ++sequence;
    server.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`);
    return new Promise((resolve) => waiting.set(seq, /** @type {(body: unknown) => void} */ (resolve)));
  };
  const file = join(folder, name, 'program.ts');
  const text = `${program}\nawait client.GET('');\n`;
  const line = text.split('\n').length - 1;
  server.stdin.write(
    `${JSON.stringify({ seq: ++sequence, type: 'request', command: 'open', arguments: { file, fileContent: text } })}\n`,
  );
  const position = { file, line, offset: "await client.GET('".length + 1 };
  const start = performance.now();
  const first = await request('completionInfo', position);
  const cold = performance.now() - start;
  /** @type {number[]} */
  const times = [];
  let found = first?.entries?.length ?? 0;
  for (let edit = 0; edit < 5; edit++) {
    const end = { line: 1, offset: 1, endLine: 1, endOffset: 1 };
    server.stdin.write(
      `${JSON.stringify({ seq: ++sequence, type: 'request', command: 'change', arguments: { file, ...end, insertString: ' ' } })}\n`,
    );
    const begin = performance.now();
    found = (await request('completionInfo', position))?.entries?.length ?? 0;
    times.push(performance.now() - begin);
  }
  server.kill();
  return {
    'paths listed': found,
    'cold, ms': Math.round(cold),
    'least, ms': Math.round(Math.min(...times)),
    'median, ms': Math.round(times.sort((a, b) => a - b)[2] ?? 0),
  };
}
