import { Command, Option } from 'commander';
import { createModeOption, parsePort, parseWholeNumber } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import type { MockFlags } from './start-mock.ts';

export function createMockCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return new Command('mock')
    .requiredOption('--document <file>', 'OpenAPI document that waygate generate wrote, JSON or YAML')
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 picks a free one').argParser(parsePort).default(8080),
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--seed <n>', 'number that determines the examples').argParser(parseWholeNumber).default(1),
    )
    .addOption(createModeOption())
    .addOption(new Option('--cache <store>', 'cache of responses').choices(['off', 'memory']).default('off'))
    .action(async (flags: MockFlags) => {
      const { startMock } = await import('./start-mock.ts');
      const { stopOrExitOnSignal, waitForStopSignal } = await import('../signals.ts');
      const mock = await startMock(flags);
      io.writeOut(mock.greeting);
      await waitForStopSignal();
      await stopOrExitOnSignal(mock.stop);
      done(0);
    });
}
