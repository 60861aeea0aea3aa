import { randomUUID } from 'node:crypto';
import type { Config, ServeFlags } from '../../../generated/option-types.d.ts';
import { SETTINGS } from '../../config/settings.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { delayOptimization } from '../optimization.ts';
import type { ServeRun } from './reload.ts';
import { resolveConfig } from './resolve-config.ts';

export async function runServe(io: CommandIo, flags: ServeFlags): Promise<ExitCode> {
  if (flags.helpConfig === true) {
    io.writeOut(toJsonText(SETTINGS.serve));
    return 0;
  }
  if (flags.check === true) {
    const { checkConfiguration } = await import('../check/command.ts');
    return checkConfiguration(io, flags, { format: 'text' });
  }
  delayOptimization();
  const config = await resolveConfig(flags, io.env);
  // The gateway is loaded only when it runs, so that --help is fast.
  const { createServeLogs } = await import('./log.ts');
  const logs = createServeLogs(config, io);
  const run = { flags, io, logs };
  if (config.state === undefined) return serveConfigured(config, run);
  const { claimStateFolder, findCrashedWriter, prepareStateFolder } = await import(
    '../../node/state-folder.ts'
  );
  await prepareStateFolder(config.state);
  const crashed = await findCrashedWriter(config.state);
  const gatewayId = randomUUID();
  const release = await claimStateFolder(config.state, logs.log, gatewayId);
  try {
    return await serveConfigured(config, { ...run, crashed, gatewayId });
  } finally {
    await release();
  }
}

async function serveConfigured(config: Config, run: ServeRun): Promise<ExitCode> {
  const { registerOtlp } = await import('./otlp.ts');
  const endTraces = await registerOtlp(config.otlp);
  const { runGatewayUntilSignal } = await import('./run-gateway.ts');
  return runGatewayUntilSignal(config, run).finally(endTraces);
}
