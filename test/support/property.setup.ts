import fc from 'fast-check';

/**
 * Property tests use a fixed seed, so that every run generates the same cases. Another seed: `FUZZ_SEED=$RANDOM npm test`.
 * A failure that it finds becomes a test case.
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120) });
