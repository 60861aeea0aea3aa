import type { ServeFlags } from '../../base/option-types.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { readMergedConfig, requireValid } from './resolve-config.ts';

export async function runServe(io: CommandIo, flags: ServeFlags): Promise<ExitCode> {
  const merged = await readMergedConfig(flags, io.env);
  const config = await requireValid(merged);
  const { createServeLogs } = await import('./log.ts');
  const logs = createServeLogs(config, io);
  // Node would end the process, e.g. for an unawaited call in a configuration's middleware.
  process.on('unhandledRejection', (err) => logs.log.error({ err }, 'a rejected promise was not handled'));
  const { runGatewayUntilSignal } = await import('./run-gateway.ts');
  const run = { flags, io, logs, merged };
  if (config.state === undefined) return runGatewayUntilSignal(config, run);
  const { claimStateFolder, prepareStateFolder } = await import('../../gateway/node/state-folder.ts');
  await prepareStateFolder(config.state);
  const { hasCrashed, release } = await claimStateFolder(config.state);
  return runGatewayUntilSignal(config, { ...run, hasCrashed }).finally(release);
}
