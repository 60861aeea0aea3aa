/** What the generated configuration says. */
export interface InitSettings {
  readonly url: string;
  readonly out: string;
  readonly name: string;
  readonly client: boolean;
}

/** Creates the content of `waygate.config.ts`. */
export function createConfigFile({ client, name, out, url }: InitSettings): string {
  return `import { defineConfig } from 'waygate';

// waygate generate reads this file. waygate serve has another, in YAML: waygate serve --help-config.
export default defineConfig({
  sites: [
    {
      url: ${toLiteral(url)},
      out: ${toLiteral(out)},
      name: ${toLiteral(name)},
      client: ${client},
      // The name of the variable with an application password (user:password), if the index depends on the user:
      // authVariable: 'WAYGATE_AUTH',
    },
  ],
});
`;
}

/** How the dependencies of a project are installed, by the lock file that the project has. */
const INSTALL_STEPS: readonly (readonly [lockFile: string, command: string])[] = [
  ['package-lock.json', 'npm ci'],
  ['pnpm-lock.yaml', 'corepack enable && pnpm install --frozen-lockfile'],
  ['yarn.lock', 'corepack enable && yarn install --immutable'],
];

/** The names of the files that decide how dependencies are installed. */
export const LOCK_FILES: readonly string[] = INSTALL_STEPS.map(([lockFile]) => lockFile);

/**
 * Creates the content of `.github/workflows/waygate.yml`.
 *
 * @param lockFile the lock file of the project; `undefined` if it has none
 */
export function createWorkflowFile(lockFile: string | undefined): string {
  const install = INSTALL_STEPS.find(([name]) => name === lockFile)?.[1] ?? 'npm install';
  return `# Fails if the interface of the site has changed since the types were generated. The log says what changed.
name: waygate
on:
  pull_request:
  schedule:
    - cron: '17 5 * * 1-5'
  workflow_dispatch:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: ${install}
      - run: npx waygate generate --check
        # If waygate.config.ts has an authVariable:
        # env:
        #   WAYGATE_AUTH: \${{ secrets.WAYGATE_AUTH }}
`;
}

/** Prints a text as a string literal in single quotes. */
function toLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
