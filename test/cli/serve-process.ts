import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** As `npm ci` has built it: signals and exit codes are a process's, so these tests need one. */
export const MAIN: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface ServeProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** The log's lines so far. */
  readonly lines: Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** `waygate serve` as a process on a free port. What is still running after a test is ended. */
export function useServeProcesses(): (args: readonly string[]) => Promise<ServeProcess> {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  return (args) => serve(args, running);
}

async function serve(args: readonly string[], running: Set<ChildProcess>): Promise<ServeProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], { stdio: 'pipe' });
  running.add(child);
  const lines: Record<string, unknown>[] = [];
  let partialLine = '';
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = `${partialLine}${chunk}`.split('\n');
      partialLine = parts.pop() ?? '';
      for (const part of parts) {
        const line: Record<string, unknown> = JSON.parse(part);
        lines.push(line);
        if (line['msg'] === 'listening') resolve(String(line['url']));
      }
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it listened`)));
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { url: await url, process: child, lines, ended };
}

export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen within ten seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const isReady =
  (url: string): (() => Promise<boolean>) =>
  async () =>
    (await fetch(`${url}/-/ready`)).status === 200;
