// @ts-check
// npm run trace -- ['first GET'] [miss] ['first hit'] [hit] [POST]
//
// Prints the functions of `src` that a request runs, in the order of their first calls, with the number of calls of each. requests.mjs
// describes the requests: `first GET` is the first request after the start, `first hit` the first that a stored response serves.

import { readOptions } from '../read-options.mjs';
import { traceRequests } from './requests.mjs';

const { positionals } = readOptions(import.meta.url, { allowPositionals: true });
const traces = Object.entries(await traceRequests())
  .filter(([name]) => positionals.length === 0 || positionals.includes(name))
  .map(([name, trace]) => ({ name, ...trace }));

for (const trace of traces) print(trace);

/** @param {typeof traces[number]} trace */
function print({ functions, name }) {
  const files = new Set(functions.map(({ file }) => file));
  console.log(`\n${name}: ${functions.length} functions in ${files.size} files\n`);
  let previous = '';
  for (const { calls, file, line, name: label } of functions) {
    if (file !== previous) console.log(`  ${file}`);
    previous = file;
    console.log(`    ${String(line).padStart(5)}  ${label}${calls === 1 ? '' : ` ×${calls}`}`);
  }
}
