import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

/** What `npm run trace -- --json` prints for each request. */
interface Trace {
  readonly name: string;
  readonly files: readonly { readonly file: string }[];
  /** Number of functions. */
  readonly functions: number;
  /** Calls from `handle.ts` to the transport; `null` if nothing is sent. */
  readonly depth: number | null;
}

/**
 * The most files and functions of `src` that one request may run, and how deep below `handle.ts` it is sent. A limit is lowered when the way gets shorter.
 */
const LIMITS = [
  { name: 'hit', files: 26, functions: 75, depth: null },
  { name: 'miss', files: 60, functions: 390, depth: 13 },
  { name: 'POST', files: 60, functions: 328, depth: 8 },
] as const;

describe('the way of a request is short', () => {
  const traces = new Map<string, Trace>();

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/trace/main.mjs', '--json']);
    for (const trace of JSON.parse(stdout) as Trace[]) traces.set(trace.name, trace);
  }, 60_000);

  test.each(LIMITS)('a $name runs at most $files files and $functions functions', ({ name, ...limits }) => {
    const { depth = null, files = [], functions = 0 } = traces.get(name) ?? {};
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(limits.files);
    expect(functions).toBeLessThanOrEqual(limits.functions);
    if (limits.depth === null) expect(depth).toBeNull();
    else expect(depth).toBeLessThanOrEqual(limits.depth);
  });
});
