import { Command, Option } from 'commander';
import type { CommandIo, ExitCode } from './io.ts';
import { type CommandOption, discovery, json, listen, listServeOptions, option } from './options.ts';

type Argument = readonly [name: string, text: string];

interface CommandDeclaration {
  readonly description: string;
  readonly arguments?: readonly Argument[];
  readonly options: () => readonly CommandOption[];
  /** Former flags, each with what to write instead. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Advice for further arguments, which former versions took. */
  readonly excess?: string;
  /** Loads the command's function. */
  readonly run: () => Promise<(io: CommandIo, ...args: never[]) => Promise<ExitCode>>;
}

/** Gets the values of the arguments in their order, and then the flags, whose types are written from `options`. */
type Run<Arguments extends readonly Argument[]> = (
  io: CommandIo,
  ...args: [...{ [At in keyof Arguments]: Value<Arguments[At][0]> }, flags: never]
) => Promise<ExitCode>;

type Value<Name> = Name extends `[${string}`
  ? string | undefined
  : Name extends `${string}...>`
    ? string[]
    : string;

const command = <const Arguments extends readonly Argument[] = []>(
  declaration: CommandDeclaration & {
    readonly arguments?: Arguments;
    readonly run: () => Promise<Run<Arguments>>;
  },
): CommandDeclaration => declaration;

const SITE_URL = [
  '[site-url]',
  'URL of the site, such as its front page (the sites of waygate.config.ts)',
] as const;

const SERVE_FILE = [
  '[file]',
  'configuration file of serve: YAML, JSON or TypeScript (waygate.yaml)',
] as const;

/** Arguments of a command that asks a running gateway. */
const ofGateway = (command: string) => ({
  arguments: [['<gateway-url>', 'URL of the gateway, or of its admin listener if it has one']] as const,
  renamed: { '--gateway': '<gateway-url> without a flag' },
  excess: `For several gateways: for url in $GATEWAYS; do npx waygate ${command} $url; done`,
});

/** In the order of `waygate --help`. `npm run options` writes the flags' types. */
const COMMANDS: Readonly<Record<string, CommandDeclaration>> = {
  generate: command({
    description: 'Write the OpenAPI document, TypeScript types and a client of a site.',
    arguments: [SITE_URL],
    options: () => [
      option('--out <dir>', 'folder of the generated files (.)'),
      option('--name <name>', "base name of the files (the site's host)"),
      option('--client', 'also <name>.client.ts: a client, whose types <name>.ts then exports'),
      option('--tanstack [framework]', 'also <name>.tanstack.ts: for TanStack Query 5')
        .choices(['react', 'preact', 'vue', 'svelte', 'solid', 'angular', 'core'])
        .preset('react'),
      option('--only <files>', 'write only these: document, types, client, tanstack, report').repeatable(),
      option('--document <file>', 'read this recorded index or OpenAPI document'),
      option('--check', 'write nothing; exit with 1 if files are stale'),
      option(
        '--fail-on <severity>',
        'with --check: exit with 1 only after a change this severe (any)',
      ).choices(['breaking', 'risky', 'any']),
      option('--strict-read', 'with --check: exit with 3 if a part was unread'),
      option('--json', 'print the report as JSON'),
      option('--config <file>', 'configuration file; flags override it (waygate.config.ts)'),
      ...discovery(),
    ],
    renamed: {
      '--from': '--document <file>',
      '--site': '<site-url> without a flag',
      '--url': '<site-url> without a flag',
    },
    run: async () => (await import('./generate/command.ts')).runGenerate,
  }),
  init: command({
    description:
      'Write waygate.config.ts and, if you want, a CI workflow that checks the types against the site.',
    options: () => [
      option('--site <url>', 'any URL of the site (asked)'),
      option('--out <dir>', 'folder of the generated files (asked; src/api)'),
      option('--ci', 'write a workflow that runs waygate generate --check (asked; no)'),
      option('--yes', 'ask nothing; defaults for what no flag says'),
    ],
    renamed: { '--url': '--site <url>' },
    run: async () => (await import('./init.ts')).runInit,
  }),
  reconcile: command({
    description: "Learn response types from a site's responses, and write them as an OpenAPI Overlay.",
    arguments: [SITE_URL],
    options: () => [
      option('--out <dir>', 'folder to write to (.)'),
      option('--name <name>', "base name of the overlay (the site's host)"),
      option('--fresh', 'replace an existing overlay, except actions that you wrote'),
      option('--max-requests <n>', 'maximum number of requests').integer().default(200),
      option('--sample <path>', 'also read this path, such as /x/v1/things/12').repeatable(),
      option('--json', 'print the report as JSON'),
      option('--config <file>', 'configuration file of generate; flags override it (waygate.config.ts)'),
      ...discovery(),
    ],
    renamed: { '--har': '--sample <path>' },
    run: async () => (await import('./reconcile.ts')).runReconcile,
  }),
  serve: command({
    description: 'Run the gateway in front of one or more sites.',
    options: listServeOptions,
    renamed: { '--watch': 'waygate reload <gateway-url> or SIGHUP after a change' },
    run: async () => (await import('./serve/run-gateway.ts')).runServe,
  }),
  check: command({
    description: 'Check the configuration of serve, the files that it names, and the sites.',
    arguments: [SERVE_FILE],
    options: () => [option('--offline', 'connect to nothing: no sites, no Redis'), json()],
    renamed: { '--format': '--json' },
    run: async () => (await import('./check/command.ts')).runCheck,
  }),
  config: command({
    description:
      'Print the merged configuration, with the source of each value and without secrets, or its JSON Schema.',
    arguments: [['<action>', 'print, or schema'], SERVE_FILE],
    options: () => [],
    run: async () => (await import('./check/command.ts')).runConfig,
  }),
  diff: command({
    description: 'Compare two documents, and list the changes that break clients.',
    arguments: [
      ['<old>', 'file (OpenAPI 3.1 document or index) or URL of a site'],
      ['<new>', 'the same, after the change'],
    ],
    options: () => [
      json(),
      option('--fail-on <severity>', 'exit with 1 if a change is breaking, or at least risky')
        .choices(['breaking', 'risky'])
        .default('breaking'),
      ...discovery(),
    ],
    renamed: { '--format': '--json' },
    run: async () => (await import('./diff/command.ts')).runDiff,
  }),
  mock: command({
    description: 'Serve a document with examples, for tests without a site.',
    options: () => [
      option(
        '--document <file>',
        'OpenAPI document that waygate generate wrote, or a recorded root index; JSON or YAML',
      ).makeOptionMandatory(),
      ...listen(),
    ],
    run: async () => (await import('./local-sites.ts')).runMock,
  }),
  why: command({
    description:
      'Explain why a running gateway stored an address or not, and what purged it; or explain a request.',
    arguments: [
      ['<url|request-id>', 'URL at the gateway, or the id of a request: X-Request-Id of its response'],
    ],
    options: () => [
      option(
        '--gateway <url>',
        'URL of the gateway, or of its admin listener if it has one; default: that of the URL, or http://127.0.0.1:8080',
      ),
      json(),
    ],
    run: async () => (await import('./administration.ts')).runWhy,
  }),
  purge: command({
    ...ofGateway('purge'),
    description: 'Purge stored responses of a running gateway.',
    options: () => [
      option('--url <address>', 'purge this URL or path at the gateway').repeatable(),
      option('--tag <tag>', 'purge responses with this tag, or of a route: /wp/v2/posts/7').repeatable(),
      option('--site <name>', 'everything of this site; with --tag, only its responses').conflicts('url'),
      option('--all', 'everything of all sites').conflicts(['url', 'tag', 'site']),
      option('--soft', 'ask the site before a response is used; it remains for the time that the site fails'),
      json(),
    ],
    run: async () => (await import('./administration.ts')).runPurge,
  }),
  reload: command({
    ...ofGateway('reload'),
    description: 'Reload the configuration of a running gateway, and say what has changed.',
    options: () => [json()],
    run: async () => (await import('./administration.ts')).runReload,
  }),
  status: command({
    ...ofGateway('status'),
    description: 'Say whether a running gateway and its sites are ready.',
    options: () => [json()],
    run: async () => (await import('./administration.ts')).runStatus,
  }),
  mcp: command({
    description:
      'Let an agent use a site: tools of the Model Context Protocol over standard input and output.',
    arguments: [['[site-url]', 'URL of the site, such as its front page (that of --document)']],
    options: () => [
      option('--document <file>', 'OpenAPI document that waygate generate wrote, in place of the index'),
      option(
        '--writes <operations>',
        'what can be changed: draft, publish, manage, delete, or operationIds and patterns such as wp/v2/tags*',
      ).repeatable(),
      option(
        '--reads <operations>',
        'operations that can be read (*), by operationId, namespace or pattern',
      ).repeatable(),
      option('--abilities <plugins>', 'plugins whose abilities are reads if they say so').repeatable(),
      option('--files <folder>', 'folder whose files can be uploaded by their path'),
      option('--unasked', 'publish, manage and delete also where the client cannot ask a person'),
      option('--log <file>', 'file that gets a line of JSON for each call'),
      option('--state <folder>', 'folder for the last document, which serves while the site is read'),
      ...discovery(),
      option('--auth <user:app-password>', 'user that the agent acts as; better WAYGATE_AUTH'),
    ],
    run: async () => (await import('./mcp.ts')).runMcp,
  }),
  plugin: command({
    description:
      'Print waygate.php, a plugin that tells the gateway what responses show and what has changed.',
    arguments: [['<gateway-urls...>', 'URLs of all gateways of the site, as the site reaches them']],
    options: () => [
      option('--site <name>', 'name of the site (every site of --config with a secret)'),
      option(
        '--config <file>',
        'configuration of serve, which has the secret of the site (cache.webhook)',
      ).makeOptionMandatory(),
      option(
        '--home <url>',
        'address of the site (home_url): elsewhere, waygate.php is silent (url, publicUrl and hosts of the site)',
      ),
    ],
    run: async () => (await import('./plugin/command.ts')).runPlugin,
  }),
  example: command({
    description: 'Run both example sites behind one gateway.',
    options: listen,
    run: async () => (await import('./local-sites.ts')).runExample,
  }),
  health: command({
    description: 'Check that a gateway responds: exit code 0 if it does, 1 if not.',
    arguments: [
      ['[url]', 'URL of the gateway, or of its admin listener if it has one (http://127.0.0.1:8080)'],
    ],
    options: () => [
      option('--ready', 'also check that each site can be served, and that the gateway is not stopping'),
    ],
    run: async () => (await import('./administration.ts')).runHealth,
  }),
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

function findDeclaration(name: string): CommandDeclaration {
  const found = COMMANDS[name];
  if (found === undefined) throw new TypeError(`No command has the name ${name}.`);
  return found;
}

/** A command's options without the former ones. `npm run options` writes their types. @internal */
export function listOptions(name: string): readonly CommandOption[] {
  return [
    ...new Map(
      findDeclaration(name)
        .options()
        .map((each) => [each.flags, each]),
    ).values(),
  ];
}

export function createCommand(name: string): Command {
  const { arguments: given = [], description, excess, renamed = {} } = findDeclaration(name);
  const command = new Command(name).description(description);
  for (const [argument, text] of given) command.argument(argument, text);
  for (const each of listOptions(name)) command.addOption(each);
  for (const [former, present] of Object.entries(renamed)) {
    const hidden = new Option(`${former} [value]`).hideHelp();
    const refuse = () => command.error(`error: unknown option '${former}': use ${present}`);
    command.addOption(hidden).on(`option:${hidden.name()}`, refuse);
  }
  if (excess !== undefined) {
    command.allowExcessArguments().hook('preAction', () => {
      if (command.args.length > given.length) command.error(`error: too many arguments. ${excess}`);
    });
  }
  return command;
}

/** @param args what commander parsed: the arguments, and then the flags */
export async function runCommand(name: string, io: CommandIo, args: readonly unknown[]): Promise<ExitCode> {
  return (await findDeclaration(name).run())(io, ...(args as never[]));
}
