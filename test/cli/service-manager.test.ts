import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { waitUntil } from '../support/wait.ts';
import { useServeProcesses } from './serve-process.ts';

const folder = useFolder();
const env: Record<string, string> = {};
const serve = useServeProcesses(env);

/** Stands for `systemd-notify`: writes its arguments to a file. @returns reads the messages so far */
function useNotifier(): () => readonly string[] {
  const messages = join(folder(), 'messages');
  const program = join(folder(), 'systemd-notify');
  writeFileSync(messages, '');
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${messages}\n`);
  chmodSync(program, 0o755);
  env['PATH'] = `${folder()}:${process.env['PATH'] ?? ''}`;
  env['NOTIFY_SOCKET'] = '/run/notify';
  return () => readFileSync(messages, 'utf8').trim().split('\n');
}

test('tells systemd that it is ready, lives and stops', async () => {
  const readMessages = useNotifier();
  env['WATCHDOG_USEC'] = '200000';
  const site = await startEchoSite();
  const { child, exitCode } = await serve(['--site', site.origin, '--discovery', 'off', '--passthrough']);
  await waitUntil(() => readMessages().filter((line) => line.endsWith(' WATCHDOG=1')).length > 2);
  child.kill('SIGHUP');
  const countReady = (): number => readMessages().filter((line) => line.endsWith('READY=1')).length;
  await waitUntil(() => countReady() === 2);
  child.kill('SIGTERM');
  expect(await exitCode).toBe(0);
  await waitUntil(() => readMessages().includes('/run/notify STOPPING=1'));
  const states = readMessages().filter((line) => !line.endsWith('WATCHDOG=1'));
  expect(states).toEqual([
    '/run/notify READY=1',
    expect.stringMatching(/^\/run\/notify RELOADING=1 MONOTONIC_USEC=\d+$/),
    '/run/notify READY=1',
    '/run/notify STOPPING=1',
  ]);
  await site.close();
});

test('sends no sign of life that is for another process, and none without a socket', async () => {
  const readMessages = useNotifier();
  const site = await startEchoSite();
  const flags = ['--site', site.origin, '--discovery', 'off', '--passthrough'];
  env['WATCHDOG_USEC'] = '20000';
  env['WATCHDOG_PID'] = '1';
  const watched = await serve(flags);
  await waitUntil(() => readMessages().includes('/run/notify READY=1'));
  env['NOTIFY_SOCKET'] = '';
  const alone = await serve(flags);
  for (const { child, exitCode } of [watched, alone]) {
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  }
  expect(readMessages().toSorted()).toEqual(['/run/notify READY=1', '/run/notify STOPPING=1']);
  await site.close();
});
