#!/usr/bin/env node
// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../options.mjs';
import { startWordPress } from '../wordpress/start.mjs';

const USAGE = `node scripts/corpus/main.mjs [options] [<plugin folder>…]

Installs WordPress plugins, one after the other, each on a new WordPress, and prints a row for each: what of their routes the
document has, which responses are valid and typed, which reads are answered as the site answers them, which requests that the
site takes the gateway refuses in \`enforce\`, and which reads are stale after a write. Get the sources of the plugins first, in
versions that run on this WordPress and PHP.

  --plugins <folder>   with a folder for each plugin
  --wordpress <folder> WordPress to install them on (default: Debian's)
  --requests <n>       plausible requests by the document of each plugin, at least one per operation, and as many at random from
                       its index (default: 200)
  --seed <n>           of the requests (default: 1)
  --indexes <folder>   write the index of each site there
  --details            print what is missing, different, refused wrongly, not valid, not typed or stale
`;

const { values: flags, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: {
    plugins: { type: 'string' },
    wordpress: { type: 'string' },
    requests: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    indexes: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
});

/** @typedef {Awaited<ReturnType<typeof import('./measure.mjs').measure>>} Row */
/** @type {readonly (readonly [title: string, cell: (row: Row) => string])[]} */
const COLUMNS = [
  ['operations', ({ missingOperations, operations }) => `${operations}${lacking(missingOperations)}`],
  ['arguments', ({ args, missingArguments }) => `${args}${lacking(missingArguments)}`],
  ['typed', ({ typed: [before, after] }) => `${before} → ${after}`],
  [
    'valid',
    ({ valid: [before, after] }) =>
      [before, after].map(({ described, valid }) => `${valid} of ${described}`).join(' → '),
  ],
  ['of', ({ valid: [{ responses }] }) => String(responses)],
  ['as the site', ({ different, reads }) => `${reads - different.length} of ${reads}`],
  ['refused wrongly', ({ drawn, plausible, wrong }) => `${wrong.length} of ${plausible} + ${drawn}`],
  ['hits', ({ hits, stored }) => `${hits} of ${stored}`],
  ['stale', ({ stale, writes }) => `${stale.length} after ${writes} writes`],
];

/** @param {readonly string[]} missing */
const lacking = (missing) => (missing.length === 0 ? '' : `, ${missing.length} missing`);

/** The version in the header of the plugin's main file. @param {string} folder */
function versionOf(folder) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.php'))) {
    const head = readFileSync(join(folder, file), 'utf8').slice(0, 8_192);
    const version = /^[\s*]*Version:\s*(\S+)/im.exec(head)?.[1];
    if (/Plugin name:/i.test(head) && version !== undefined) return version;
  }
  return 'unknown';
}

const listed =
  flags.plugins === undefined
    ? []
    : readdirSync(flags.plugins).map((name) => join(flags.plugins ?? '', name));
const folders = [...listed, ...positionals].filter(
  (folder) => existsSync(folder) && statSync(folder).isDirectory(),
);
if (folders.length === 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}

/** The versions that README.md has rows for. @type {Record<string, { version: string } | undefined>} */
const recorded = JSON.parse(readFileSync(new URL('plugins.json', import.meta.url), 'utf8'));
const { measure, readIndex } = await import('./measure.mjs');
const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));
const { wordpress } = flags;
const plain = await startWordPress({ ...(wordpress && { wordpress }) });
const bare = await readIndex(plain);
await plain.stop();
console.log(`| plugin | ${COLUMNS.map(([title]) => title).join(' | ')} |`);
console.log(`|---|${'---|'.repeat(COLUMNS.length)}`);
for (const folder of folders) {
  const name = basename(folder);
  const note = (/** @type {string} */ text) => void process.stderr.write(`${name}: ${text}\n`);
  const { version = versionOf(folder) } = recorded[name] ?? {};
  if (version !== versionOf(folder)) note(`is not version ${version}, which README.md has a row for`);
  /** @type {import('../wordpress/start.d.mts').WordPress | undefined} */
  let site;
  try {
    site = await startWordPress({ plugins: [folder], muPlugins, ...(wordpress && { wordpress }) });
    if (flags.indexes !== undefined) {
      mkdirSync(flags.indexes, { recursive: true });
      writeFileSync(join(flags.indexes, `${name}.json`), JSON.stringify(await readIndex(site)));
    }
    const row = await measure(site, bare, {
      requests: Number(flags.requests),
      seed: Number(flags.seed),
      note,
    });
    console.log(`| ${name} ${versionOf(folder)} | ${COLUMNS.map(([, cell]) => cell(row)).join(' | ')} |`);
    if (!flags.details) continue;
    for (const kind of /** @type {const} */ ([
      'missingOperations',
      'missingArguments',
      'different',
      'wrong',
      'invalid',
      'untyped',
      'stale',
    ]))
      for (const text of row[kind].slice(0, 30)) console.log(`  ${kind}: ${text}`);
  } catch (error) {
    process.exitCode = 1;
    note(error instanceof Error ? (error.stack ?? error.message).slice(0, 2_000) : String(error));
  } finally {
    await site?.stop();
  }
}
