import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * The default run needs nothing but npm: the suites against a real site, a browser or the packed package stand in
 * `*.real.test.ts`, `*.browser.test.ts` and `*.package.test.ts` and are chosen with `--project`.
 */
const special = ['real', 'browser', 'package'] as const;
const setupFiles = ['test/support/property.setup.ts'];

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'default',
          include: ['test/**/*.test.ts'],
          exclude: special.map((kind) => `test/**/*.${kind}.test.ts`),
          setupFiles,
          testTimeout: 20_000,
        },
      },
      ...special.map((kind) => ({
        test: {
          name: kind,
          include: [`test/**/*.${kind}.test.ts`],
          setupFiles,
          // One real site for the whole run.
          globalSetup: kind === 'package' ? [] : ['test/support/wordpress.setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      })),
    ],
  },
});

export default config;
