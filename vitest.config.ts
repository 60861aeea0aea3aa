import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Suites that need more than npm: a real WordPress site (`*.real.test.ts`), a browser (`*.browser.test.ts`), or the packed
 * package (`*.package.test.ts`). Each is a project, selected with `--project`. All other tests are in the default project.
 */
const special = ['real', 'browser', 'package'] as const;
/**
 * Files share loaded modules, which takes a third less CPU time. No module of `src` has state that anybody can observe
 * (CONTRIBUTING.md).
 */
const isolate = false;
/** Tests create much that is soon garbage. With more space for it, V8 copies less: 7 % less CPU time, measured in pairs. */
const execArgv = ['--max-semi-space-size=64'];
const setupFiles = [
  'test/support/property.setup.ts',
  'test/support/idle.setup.ts',
  'test/support/connections.setup.ts',
];
/** By default vitest gives up after a second, which a busy machine can need. */
const expectOptions = { poll: { interval: 10, timeout: 60_000 } };

/** The examples import the package by its name. */
const alias = [
  { find: /^waygate$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  {
    find: /^waygate\/node$/,
    replacement: fileURLToPath(new URL('src/gateway/node/index.ts', import.meta.url)),
  },
];

/**
 * Files that begin. The first four collect garbage, which takes a second each time in a process that has run many files. The others
 * take the longest, or wait for processes: vitest begins with the largest files, and would end with one of these alone on one of two
 * cores.
 */
export const FIRST: readonly string[] = [
  ...['gateway/cache/stores/memory', 'gateway/site/caching/write-purges', 'gateway/reload'],
  'gateway/upstream/dispatch-transport',
  ...['sites/example/operations-through-gateway', 'gateway/report/remarks'],
  ...['agents/stdio', 'agents/tokens', 'cli/closed-output', 'cli/reload', 'cli/serve', 'corpus/shop'],
  ...['gateway/cache', 'gateway/site/caching/costs', 'gateway/site/caching/floods'],
  ...['generator/client/stability', 'generator/openapi/conformance', 'pages/docs/sample-programs'],
  ...['project/recipes', 'sites/mock/operations'],
].map((name) => fileURLToPath(new URL(`test/${name}.test.ts`, import.meta.url)));

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = FIRST.indexOf(moduleId);
      return at < 0 ? FIRST.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    // Transformed modules are kept for the next run, and in CI for the next suite.
    experimental: { fsModuleCache: true },
    // By default vitest leaves a core unused. More would wait for each other in CI, where other suites run beside, and each one loads
    // all modules.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: InOrder },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'default',
          include: ['test/**/*.test.ts'],
          exclude: special.map((kind) => `test/**/*.${kind}.test.ts`),
          setupFiles,
          expect: expectOptions,
          execArgv,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate,
        },
      },
      ...special.map((kind, at) => ({
        test: {
          name: kind,
          include: [`test/**/*.${kind}.test.ts`],
          setupFiles,
          expect: expectOptions,
          execArgv,
          // Starts one real site for the whole run.
          globalSetup: kind === 'package' ? [] : ['test/support/wordpress.setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          // Projects that run together and start different numbers of workers come one after the other.
          sequence: { groupOrder: at + 1 },
          isolate,
        },
      })),
    ],
  },
});

export default config;
