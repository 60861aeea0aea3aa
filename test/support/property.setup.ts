import fc from 'fast-check';

/**
 * Property tests use a fixed seed, so that every run generates the same cases: more of them would find nothing more. Others:
 * `FUZZ_SEED=$RANDOM npm test`. A failure that it finds becomes a test case.
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120), numRuns: 50 });
