import type { MockFlags } from '../../generated/option-types.d.ts';
import { readStructuredFile } from '../config/structured-file.ts';
import { isJsonObject } from '../json.ts';
import type { CommandIo, ExitCode } from './io.ts';
import { runUntilSignal, startServer } from './local-server.ts';

export async function runMock(io: CommandIo, flags: MockFlags): Promise<ExitCode> {
  const { greeting, stop } = await startMock(flags);
  await runUntilSignal(greeting, stop, io);
  return 0;
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
