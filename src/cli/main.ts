#!/usr/bin/env node
import { run } from './run.ts';

// json-schema-to-typescript writes to standard output where this is set.
delete process.env['VERBOSE'];
// `… | head` has read enough: that is no fault of anybody's.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interactive: process.stderr.isTTY === true,
});
