// @ts-check
// npm run trace [-- --json] ['first GET'] [miss] ['first hit'] [hit] [POST]
//
// Prints the files and functions of `src` that a request runs, with line and number of calls, in the order of their first
// calls, from V8's coverage of one warm request, and how many calls below handle.ts it is sent to the site. The requests are described in requests.mjs, the `first GET` is the first
// after the start, and the `first hit` the first request that is served from a stored response. Functions without a body of their own in the source, such as the initialisers of fields, do not count.

import { setFlagsFromString } from 'node:v8';
import { readOptions } from '../options.mjs';
import { traceRequests } from './requests.mjs';

// V8 does not count the calls of functions that optimized code has inlined.
setFlagsFromString('--no-opt');
const { positionals, values } = readOptions(import.meta.url, {
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const traces = Object.entries(await traceRequests())
  .filter(([name]) => positionals.length === 0 || positionals.includes(name))
  .map(([name, { depth, functions }]) => ({
    name,
    files: groupByFile(functions),
    functions: functions.length,
    depth,
  }));

if (values.json) console.log(JSON.stringify(traces, null, 2));
else for (const trace of traces) print(trace);

/** @param {readonly import('./requests.mjs').TracedFunction[]} functions */
function groupByFile(functions) {
  return [...new Set(functions.map(({ file }) => file))].map((path) => ({
    file: path,
    functions: functions
      .filter(({ file }) => file === path)
      .map(({ name, line, calls }) => ({ name, line, calls })),
  }));
}

/** @param {typeof traces[number]} trace */
function print({ depth, files, functions, name }) {
  const sent = depth === null ? '' : `, sent ${depth} calls below handle.ts`;
  console.log(`\n${name}: ${functions} functions in ${files.length} files${sent}\n`);
  for (const [position, { file, functions: own }] of files.entries()) {
    console.log(`${String(position + 1).padStart(3)}. ${file}`);
    for (const { name: label, line, calls } of own) {
      console.log(`       ${String(line).padStart(4)}  ${label}${calls === 1 ? '' : ` ×${calls}`}`);
    }
  }
}
