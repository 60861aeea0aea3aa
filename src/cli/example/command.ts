import { Command, Option } from 'commander';
import { createModeOption, parsePort, parseWholeNumber } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import type { ExampleFlags } from './start-example.ts';

export function createExampleCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return new Command('example')
    .addOption(
      new Option('--port <port>', 'port of the gateway; 0 picks a free one')
        .argParser(parsePort)
        .default(8080),
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option(
        '--latency <ms>',
        'milliseconds that the sites wait before they respond; a real site takes 25',
      )
        .argParser(parseWholeNumber)
        .default(0),
    )
    .addOption(
      // The example sites validate exactly by their index, so every rule holds and refusals are seen at once.
      createModeOption(),
    )
    .action(async (flags: ExampleFlags) => {
      const { startExample } = await import('./start-example.ts');
      const { stopOrExitOnSignal, waitForStopSignal } = await import('../signals.ts');
      const example = await startExample(flags, io);
      io.writeOut(example.greeting);
      await waitForStopSignal();
      await stopOrExitOnSignal(example.stop);
      done(0);
    });
}
