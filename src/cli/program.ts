import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { WaygateError } from '../errors.ts';
import { type CommandIo, type ExitCode, withEscapedOutput } from './io.ts';
import { COMMANDS, shortenHelp } from './options.ts';

/** Creates a command. The command passes its exit code to `done`. */
type CommandFactory = (io: CommandIo, done: (code: ExitCode) => void) => Command;

/** Loads a command. The program loads only the one that runs. */
const LOADERS: Readonly<Record<keyof typeof COMMANDS, () => Promise<CommandFactory>>> = {
  generate: async () => (await import('./generate/command.ts')).createGenerateCommand,
  init: async () => (await import('./init.ts')).createInitCommand,
  reconcile: async () => (await import('./reconcile.ts')).createReconcileCommand,
  calibrate: async () => (await import('./calibrate.ts')).createCalibrateCommand,
  serve: async () => (await import('./serve/command.ts')).createServeCommand,
  mock: async () => (await import('./mock.ts')).createMockCommand,
  accept: async () => (await import('./accept.ts')).createAcceptCommand,
  report: async () => (await import('./report.ts')).createReportCommand,
  example: async () => (await import('./example.ts')).createExampleCommand,
};

/**
 * Runs one command line.
 *
 * @param args the arguments without the program's name
 * @param rawIo receives text without control characters, except tabs, newlines and the progress line
 * @returns the exit code, also for errors of the user or the site
 * @throws any error that is not a `WaygateError`: a defect of waygate
 */
export async function runProgram(args: readonly string[], rawIo: CommandIo): Promise<ExitCode> {
  const io = withEscapedOutput(rawIo);
  let exitCode: ExitCode = 0;
  const done = (code: ExitCode): void => {
    exitCode = code;
  };
  const program = new Command('waygate')
    .description(
      'Learns the REST interface of a WordPress-style site: OpenAPI document, TypeScript types and a gateway.',
    )
    .version(packageVersion());
  const [name = ''] = args;
  const isHelp = name === 'help' || args.includes('--help') || args.includes('-h');
  const isWhole = isHelp && args.includes('--all');
  for (const command of await commandsFor(name, io, done)) program.addCommand(command);
  for (const command of [program, ...program.commands]) {
    const own = command === program ? 'waygate' : `waygate ${command.name()}`;
    command
      .exitOverride()
      .configureOutput({ writeOut: io.writeOut, writeErr: io.writeErr, outputError: printUsageError })
      .showHelpAfterError(`${own} --help lists the ${command === program ? 'commands' : 'options'}.`);
    if (!isWhole) shortenHelp(command);
  }
  try {
    await program.parseAsync(isWhole ? args.filter((each) => each !== '--all') : args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message. After help and version output it throws this error with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WaygateError)) throw error;
    io.writeErr(`waygate: ${error.message}\n`);
    return error.exitCode;
  }
}

/** Prints an error of commander in one line, with its suggestion, as the errors of waygate are printed. */
function printUsageError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, 'waygate: ').replace('\n(', ' ('));
}

/** Loads the named command. If no command has the name, lists all commands, for the help text and for suggestions. */
async function commandsFor(
  name: string,
  io: CommandIo,
  done: (code: ExitCode) => void,
): Promise<readonly Command[]> {
  const loaders = Object.entries(LOADERS);
  const load = loaders.find(([known]) => known === name)?.[1];
  if (load !== undefined) return [(await load())(io, done)];
  // `waygate help serve` shows the whole help of a command.
  if (name === 'help') return Promise.all(loaders.map(async ([, loadOne]) => (await loadOne())(io, done)));
  return Object.entries(COMMANDS).map(([known, { description }]) =>
    new Command(known).description(description),
  );
}

/** Reads the version from package.json, which lies two folders above this file in `src` and in `dist`. */
function packageVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
