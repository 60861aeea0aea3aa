import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

/** What `npm run trace -- --json` prints for each request. */
interface Trace {
  readonly name: string;
  readonly files: readonly { readonly file: string }[];
  /** Number of functions. */
  readonly functions: number;
}

/**
 * The most files and functions of `src` that one request may run. A limit is lowered when the way gets shorter.
 */
const LIMITS = [
  { name: 'hit', files: 28, functions: 80 },
  { name: 'miss', files: 55, functions: 480 },
  { name: 'POST', files: 70, functions: 470 },
] as const;

describe('the way of a request is short', () => {
  const traces = new Map<string, Trace>();

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/trace/main.mjs', '--json']);
    for (const trace of JSON.parse(stdout) as Trace[]) traces.set(trace.name, trace);
  }, 60_000);

  test.each(LIMITS)('a $name runs at most $files files and $functions functions', ({ name, ...limits }) => {
    const { files = [], functions = 0 } = traces.get(name) ?? {};
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(limits.files);
    expect(functions).toBeLessThanOrEqual(limits.functions);
  });
});
