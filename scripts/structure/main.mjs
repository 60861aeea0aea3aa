#!/usr/bin/env node
// @ts-check
// npm run structure [-- --against <checkout>] [--json]
//
// Prints the size of this checkout, or of another one beside it: lines of code, JSON and tests by folder, of scripts and of the committed
// output, and the words of the documents and of the comments in `src`. Only files that git knows count.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asTable } from '../bench/table.mjs';
import { readOptions } from '../read-options.mjs';

/** Kinds of lines by the paths of their files. The first that matches counts. */
const KINDS = /** @type {const} */ ([
  ['example sites', /^(?:src|test)\/sites\/(?:example|rest-server)\//],
  ['code', /^src\/.*\.(?:tsx?|css)$/],
  ['JSON', /^src\/.*\.json$/],
  ['PHP', /^src\/.*\.php$/],
  ['tests', /^test\/.*\.tsx?$/],
  ['scripts', /^scripts\//],
  ['committed output', /^(?:generated|openapi)\//],
]);
const COMMENT = /^ *(?:\*|\/\/|\/\*)/;

const { values } = readOptions(import.meta.url, {
  options: { json: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const checkouts = {
  ...(values.against === undefined ? {} : { before: resolve(values.against) }),
  after: fileURLToPath(new URL('../..', import.meta.url)),
};
const measured = Object.entries(checkouts).map(
  ([name, folder]) => /** @type {const} */ ([name, measure(folder)]),
);
const rows = [...new Set(measured.flatMap(([, counts]) => [...counts.keys()]))].map((row) => ({
  row,
  ...Object.fromEntries(measured.map(([name, counts]) => [name, counts.get(row) ?? 0])),
}));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.log(asTable({ case: 'lines and words', contenders: rows }));

/** @param {string} checkout @returns {ReadonlyMap<string, number>} by row */
function measure(checkout) {
  const paths = execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).trim().split('\n');
  /** @type {Map<string, number>} */
  const sums = new Map();
  /** @type {Map<string, number>} */
  const folders = new Map();
  /** @type {Map<string, number>} */
  const words = new Map();
  const add = (
    /** @type {Map<string, number>} */ counts,
    /** @type {string} */ row,
    /** @type {number} */ by,
  ) => counts.set(row, (counts.get(row) ?? 0) + by);
  for (const path of paths) {
    const [kind] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
    const isDocument = path === 'README.md' || /^docs\/.*\.md$/.test(path);
    if (kind === undefined && !isDocument) continue;
    const text = readFileSync(join(checkout, path), 'utf8');
    if (isDocument) {
      add(words, `words: ${basename(path)}`, countWords(text));
      add(words, 'words: all documents', countWords(text));
    }
    if (kind === undefined) continue;
    const lines = text.split('\n').length - 1;
    add(sums, `lines: ${kind}`, lines);
    if (/^(?:code|JSON|tests)$/.test(kind))
      add(folders, `${path.split('/').slice(0, -1).slice(0, 2).join('/')}: ${kind}`, lines);
    if (kind === 'code') {
      const comments = text.split('\n').filter((line) => COMMENT.test(line));
      add(words, 'words: comments of src', comments.join(' ').split(/\s+/).filter(Boolean).length);
    }
  }
  return new Map([...sums, ...folders, ...words]);
}

/** Pieces with a letter or a digit. @param {string} text */
function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
}
