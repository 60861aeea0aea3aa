import { splitNames } from '../../src/base/glob.ts';

/** What the package promises, entry by entry. A change here is a change that users see: CHANGELOG.md. */
export const EXPORTS: Readonly<Record<string, Entry>> = {
  waygate: entry(
    'index.ts',
    `
      ConfigurationError DiscoveryError WaygateError applyOverlay createGateway createMock defineConfig
      defineGateway discover generate reconcile resolveRequest stringifyDocument toClient toOpenApi toTypes
    `,
  ),
  'waygate/node': entry('gateway/node/index.ts', 'serve'),
  'waygate/example': entry('sites/example/index.ts', 'DEMO_USERS boardSite contentSite'),
};

export interface Entry {
  /** Its file below src/. */
  readonly source: string;
  readonly values: readonly string[];
}

function entry(source: string, values: string): Entry {
  return { source, values: splitNames(values).toSorted() };
}
