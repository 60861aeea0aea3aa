import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { closeAfterTest } from '../support/close-after-test.ts';
import { waitUntil } from '../support/wait.ts';

/** Path of the built command. Tests of signals, exit codes and the environment run it as a process. */
export const MAIN: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A running `waygate serve`. */
export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Log lines so far; one that is not JSON is the member `line`. */
  readonly logLines: Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly exitCode: Promise<number | null>;
}

/**
 * Returns a function that starts `waygate serve` on a free port and resolves once it listens. The process is killed after the test.
 *
 * @param env environment variables besides those of the test process
 */
export function useServeProcesses(
  env: Readonly<Record<string, string>> = {},
): (args: readonly string[]) => Promise<ServeProcess> {
  return async (args) => {
    const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
      stdio: 'pipe',
      env: { ...process.env, ...env },
    });
    closeAfterTest(() => child.kill('SIGKILL'));
    const logLines: Record<string, unknown>[] = [];
    const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const listening = await waitUntilListening(child, logLines);
    return { url: String(listening['url']), child, logLines, exitCode };
  };
}

/** Collects the log lines of a process. Resolves with the first line that says that it listens. */
function waitUntilListening(
  child: ChildProcess,
  logLines: Record<string, unknown>[],
): Promise<Readonly<Record<string, unknown>>> {
  let partialLine = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${partialLine}${chunk}`.split('\n');
      partialLine = lines.pop() ?? '';
      for (const line of lines) {
        const entry: Record<string, unknown> = line.startsWith('{') ? JSON.parse(line) : { line };
        logLines.push(entry);
        if (entry['msg'] === 'listening') resolve(entry);
      }
    });
    child.once('exit', (code) => reject(new Error(`exited with code ${code} before it listened`)));
  });
}

/** Like {@link useServeProcesses}; the function resolves once the gateway is ready. */
export function useReadyProcesses(
  ...options: Parameters<typeof useServeProcesses>
): (...args: readonly string[]) => Promise<ServeProcess> {
  const serve = useServeProcesses(...options);
  return async (...args) => {
    const gateway = await serve(args);
    await waitUntil(isReady(gateway.url));
    return gateway;
  };
}

/** Creates a condition: the gateway is ready. */
const isReady =
  (url: string): (() => Promise<boolean>) =>
  async () =>
    (await fetch(`${url}/-/ready`)).status === 200;
