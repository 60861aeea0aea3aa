import { Command, CommanderError } from 'commander';
import { readBuild } from '../base/build.ts';
import { WaygateError } from '../base/errors.ts';
import { COMMAND_NAMES, createCommand, runCommand } from './commands.ts';
import { type CommandIo, type ExitCode, withEscapedOutput } from './io.ts';

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
      exitCode = await runCommand(name, io, parsed);
    });
    program.addCommand(command);
  }
  for (const command of [program, ...program.commands]) {
    const own = command === program ? 'waygate' : `waygate ${command.name()}`;
    command
      .exitOverride()
      .configureOutput({
        writeOut: io.writeOut,
        writeErr: io.writeErr,
        outputError: (text) => io.writeErr(text.replace(/^error: /, 'waygate: ').replace('\n(', ' (')),
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
