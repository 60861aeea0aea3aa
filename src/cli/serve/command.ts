import { Command, Option } from 'commander';
import type { CommandIo, ExitCode } from '../io.ts';
import { createModeOption } from '../mode-option.ts';
import { appendValue, parsePort, parseWholeNumber } from '../option-parsers.ts';
import type { ServeFlags } from './resolve-config.ts';

export function createServeCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return new Command('serve')
    .option('--config <file>', 'configuration file, JSON or YAML; flags override it')
    .addOption(
      new Option('--site <[name=]url>', 'a site, mounted at /<name>, or at / without a name (repeatable)')
        .argParser(appendValue)
        .default([], 'those of the configuration'),
    )
    .addOption(
      new Option('--port <port>', 'port to listen on (8080); 0 picks a free one').argParser(parsePort),
    )
    .option('--host <host>', 'address to listen on (127.0.0.1)')
    .option('--public-url <url>', 'URL under which clients reach the gateway (taken from each request)')
    .option(
      '--upstream-host <name>',
      'host that the site sees, such as its public name, while connections are made to its URL',
    )
    .option('--upstream-ca <file>', 'certificates in PEM that are trusted for the site')
    .option('--upstream-insecure', 'accept any certificate of the site')
    .option('--document <file>', 'stored document of the site, served until discovery succeeds')
    .option(
      '--rediscover <interval>',
      'repeat discovery at this interval, such as 5m; SIGHUP does it at once',
    )
    .addOption(
      new Option('--discovery <mode>', 'read the root index of the site, or not (auto)').choices([
        'auto',
        'off',
      ]),
    )
    .option('--passthrough', 'forward everything else to the site too: a whole-site reverse proxy')
    .addOption(createModeOption(' (observe)'))
    .addOption(
      new Option(
        '--after-agreement <n>',
        'with --mode enforce or strict: observe an operation until the site agreed this often in a row, such as 100',
      ).argParser(parseWholeNumber),
    )
    .option('--state <folder>', 'folder for state that outlives a restart, such as validation evidence')
    .addOption(
      new Option(
        '--admin-port <port>',
        'separate port for the operations below /-/ (the same port); WAYGATE_ADMIN_TOKEN enables them',
      ).argParser(parsePort),
    )
    .option(
      '--cache <store>',
      'store of the response cache: off, memory, or a Redis URL such as redis://host:6379 (off); or WAYGATE_CACHE',
    )
    .option('--help-config', 'print the JSON Schema of the configuration file')
    .action(async (flags: ServeFlags) => {
      if (flags.helpConfig === true) {
        const { createConfigJsonSchema } = await import('../../config/config.ts');
        return io.writeOut(`${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`);
      }
      // The gateway is loaded only when it runs, so that --help is fast.
      const { resolveConfig } = await import('./resolve-config.ts');
      const config = await resolveConfig(flags, io.env);
      const { createServeLogs } = await import('./log.ts');
      const { runGatewayUntilSignal } = await import('./run-gateway.ts');
      done(await runGatewayUntilSignal(config, createServeLogs(config.logLevel, io)));
    });
}
