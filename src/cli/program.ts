import { Command, CommanderError } from 'commander';
import { readBuild } from '../base/build.ts';
import { WaygateError } from '../base/errors.ts';
import { COMMAND_NAMES, type CommandName, createCommand, RENAMED_OPTIONS } from './commands.ts';
import { type CommandIo, type ExitCode, withEscapedOutput } from './io.ts';

type RunCommand = (io: CommandIo, ...args: never[]) => Promise<ExitCode>;

const LOADERS: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  generate: async () => (await import('./generate/command.ts')).runGenerate,
  init: async () => (await import('./init.ts')).runInit,
  reconcile: async () => (await import('./reconcile.ts')).runReconcile,
  serve: async () => (await import('./serve/run-gateway.ts')).runServe,
  check: async () => (await import('./check/command.ts')).runCheck,
  config: async () => (await import('./check/command.ts')).runConfig,
  diff: async () => (await import('./diff/command.ts')).runDiff,
  mock: async () => (await import('./local-sites.ts')).runMock,
  why: async () => (await import('./administration.ts')).runWhy,
  purge: async () => (await import('./administration.ts')).runPurge,
  reload: async () => (await import('./administration.ts')).runReload,
  status: async () => (await import('./administration.ts')).runStatus,
  mcp: async () => (await import('./mcp.ts')).runMcp,
  plugin: async () => (await import('./plugin/command.ts')).runPlugin,
  example: async () => (await import('./local-sites.ts')).runExample,
  health: async () => (await import('./administration.ts')).runHealth,
};

/** Former versions took the URLs of several gateways. */
const SEVERAL_GATEWAYS = 'For several gateways: for url in $GATEWAYS; do npx waygate $2 $url; done';

/** @throws any error that isn't a `WaygateError`: a defect of waygate */
export async function runProgram(args: readonly string[], rawIo: CommandIo): Promise<ExitCode> {
  const io = withEscapedOutput(rawIo);
  let exitCode: ExitCode = 0;
  const program = new Command('waygate')
    .description('OpenAPI document, typed client and gateway for the REST API of a WordPress-style site.')
    .version(describeVersion())
    .configureHelp({
      subcommandTerm: (command) => (command.name() === 'help' ? 'help [command]' : command.name()),
    });
  for (const name of COMMAND_NAMES) {
    const command = createCommand(name).action(async (...parsed) => {
      exitCode = await Reflect.apply(await LOADERS[name](), undefined, [io, ...parsed]);
    });
    program.addCommand(command);
  }
  const outputError = (text: string): void =>
    io.writeErr(
      text
        .replace(/^error: /, 'waygate: ')
        .replace('\n(', ' (')
        .replace(/(too many arguments for '(purge|reload|status)'.*)\n/, `$1 ${SEVERAL_GATEWAYS}\n`),
    );
  for (const command of [program, ...program.commands]) {
    const own = command === program ? 'waygate' : `waygate ${command.name()}`;
    const renamed = (text: string): string =>
      text.replace(/(unknown option '(--\w+)[^']*').*/s, (all, start: string, name: string) => {
        const present = RENAMED_OPTIONS.get(`${command.name()} ${name}`);
        return present === undefined ? all : `${start}: use ${present}\n`;
      });
    command
      .exitOverride()
      .configureOutput({
        writeOut: io.writeOut,
        writeErr: io.writeErr,
        outputError: (text) => outputError(renamed(text)),
      })
      .showHelpAfterError(`${own} --help lists the ${command === program ? 'commands' : 'options'}.`);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message. After help and version it throws this error with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WaygateError)) throw error;
    io.writeErr(`waygate: ${error.message}\n`);
    return error.exitCode;
  }
}

function describeVersion(): string {
  const { commit, version } = readBuild();
  return `${version} (commit ${commit}, Node ${process.versions.node})`;
}
