import { Command, CommanderError } from 'commander';
import { WaygateError } from '../errors.ts';
import { exampleCommand } from './example.ts';
import { generateCommand } from './generate.ts';
import type { ExitCode, Io } from './io.ts';
import { serveCommand } from './serve.ts';
import { version } from './version.ts';

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
    .version(version())
    .addCommand(generateCommand(io, done))
    .addCommand(serveCommand(io, done))
    .addCommand(exampleCommand(io, done));
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
