import { Command, CommanderError } from 'commander';
import { WaygateError } from '../errors.ts';
import type { ExitCode, Io } from './io.ts';
import { version } from './version.ts';

type MakeCommand = (io: Io, done: (code: ExitCode) => void) => Command;

/** Each command brings its own rooms: only what is run is loaded. */
const COMMANDS: ReadonlyMap<string, () => Promise<MakeCommand>> = new Map([
  ['generate', async () => (await import('./generate.ts')).generateCommand],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcileCommand],
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['report', async () => (await import('./report.ts')).reportCommand],
  ['example', async () => (await import('./example.ts')).exampleCommand],
]);

/**
 * Runs one command line.
 *
 * @param args without the program's own name
 * @returns the exit code; never rejects for what a user or a site did wrong
 */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const done = (code: ExitCode): void => {
    exitCode = code;
  };
  const program = new Command('waygate')
    .description(
      'An OpenAPI document, TypeScript types and a gateway, from the address of a WordPress-style site.',
    )
    .version(version());
  const wanted = COMMANDS.get(args[0] ?? '');
  for (const load of wanted === undefined ? COMMANDS.values() : [wanted]) {
    program.addCommand((await load())(io, done));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err }).showHelpAfterError();
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // commander has printed what it had to say; help and version end here too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WaygateError)) throw error;
    io.err(`waygate: ${error.message}\n`);
    return error.exitCode;
  }
}
