import type { Command } from 'commander';
import type { MockFlags } from '../../generated/option-types.d.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import { isJsonObject } from '../json.ts';
import type { CommandIo, ExitCode } from './io.ts';
import { runUntilSignal, startServer } from './local-server.ts';
import { createCommand } from './options.ts';

export function createMockCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return createCommand('mock').action(async (flags: MockFlags) => {
    const { greeting, stop } = await startMock(flags);
    await runUntilSignal(greeting, stop, io);
    done(0);
  });
}

/**
 * Starts a mock of the site of a document. The gateway contacts no other address, so its Hono app serves the port itself.
 *
 * @throws {ConfigurationError} when the document cannot be used, or the port is taken
 */
export async function startMock({ document: file, port, host, ...options }: MockFlags): Promise<{
  readonly url: string;
  readonly greeting: string;
  readonly stop: () => Promise<void>;
}> {
  const document = await readStructuredFile(file, '--document');
  // The gateway is loaded only when it runs, so that --help is fast.
  const { createMock } = await import('../mock/index.ts');
  const gateway = createMock(isJsonObject(document) ? document : {}, options);
  await gateway.rediscover();
  const { close, url } = await startServer(gateway.fetch, port, host);
  const greeting = [
    `waygate: a mock of ${file}.`,
    `  REST API       ${url}/wp-json`,
    `  documentation  ${url}/docs`,
    `  document       ${url}/openapi.json`,
  ];
  return { url, greeting: greeting.join('\n'), stop: () => close(() => gateway.stop()) };
}
