import fc from 'fast-check';

/**
 * Properties draw the same cases in every run, so that a change is judged by what it changed. `FUZZ_SEED` draws others:
 * `FUZZ_SEED=$RANDOM npm test`. What it finds becomes a case of its own.
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20_261_120) });
