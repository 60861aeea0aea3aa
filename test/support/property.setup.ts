import fc from 'fast-check';

/**
 * Property tests draw the same cases on each run, and `.ci/run` others each time, with a seed that it prints:
 * `FUZZ_SEED=<seed> npm test` draws these again. A failure that it finds becomes a test case.
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120), numRuns: 50 });
