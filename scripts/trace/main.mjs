// @ts-check
// npm run trace [-- --json] ['first GET'] [miss] ['first hit'] [hit] [POST]
//
// Prints the functions of `src` that a request runs, in the order of their first calls, with the number of calls of each, and how many calls
// below handle.ts the request is sent to the site. requests.mjs describes the requests: `first GET` is the first request after the start,
// `first hit` the first that a stored response serves.

import { readOptions } from '../options.mjs';
import { traceRequests } from './requests.mjs';

const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const traces = Object.entries(await traceRequests())
  .filter(([name]) => positionals.length === 0 || positionals.includes(name))
  .map(([name, trace]) => ({ name, ...trace }));

if (values.json) console.log(JSON.stringify(traces, null, 2));
else for (const trace of traces) print(trace);

/** @param {typeof traces[number]} trace */
function print({ depth, functions, name }) {
  const sent = depth === null ? '' : `, sent ${depth} calls below handle.ts`;
  const files = new Set(functions.map(({ file }) => file));
  console.log(`\n${name}: ${functions.length} functions in ${files.size} files${sent}\n`);
  let previous = '';
  for (const { calls, file, line, name: label } of functions) {
    if (file !== previous) console.log(`  ${file}`);
    previous = file;
    console.log(`    ${String(line).padStart(5)}  ${label}${calls === 1 ? '' : ` ×${calls}`}`);
  }
}
