#!/usr/bin/env node
import type { Readable, Writable } from 'node:stream';
import { ConfigurationError } from '../base/errors.ts';
import type { Prompts } from './io.ts';
import { runProgram } from './program.ts';
import { allowsColours, withColours } from './terminal.ts';

// json-schema-to-typescript writes to standard output if this variable is set.
delete process.env['VERBOSE'];
// The reader of a pipe (`… | head`) can close it early. That isn't an error, a full disk is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`waygate: cannot write the output: ${error.message}\n`);
  process.exit(2);
});
// The command goes on without messages: `waygate serve 2>&1 | head`.
process.stderr.on('error', () => {});
const writeTo = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(stream.isTTY === true && allowsColours(process.env) ? withColours(text) : text);
};
process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  writeOut: writeTo(process.stdout),
  writeErr: writeTo(process.stderr),
  isInteractive: process.stderr.isTTY === true,
  prompts:
    process.stdin.isTTY === true && process.stderr.isTTY === true
      ? createPrompts(process.stdin, process.stderr)
      : undefined,
});
// A configuration that is a program might have opened connections, which would keep the process running.
setInterval(() => process.stdout.writableLength === 0 && process.exit(), 1_000).unref();

function createPrompts(input: Readable, output: Writable): Prompts {
  return {
    askText: (question, preset, check = () => {}) =>
      ask(input, (clack, signal) =>
        clack.text({
          input,
          output,
          signal,
          message: question,
          ...(preset === undefined ? {} : { placeholder: preset, defaultValue: preset }),
          validate: (text = '') =>
            text === '' && preset !== undefined ? undefined : describeRefusal(check, text),
        }),
      ),
    askYesNo: (message, initialValue) =>
      ask(input, (clack, signal) => clack.confirm({ input, output, signal, message, initialValue })),
  };
}

type Clack = typeof import('@clack/prompts');

async function ask<T>(
  input: Readable,
  run: (clack: Clack, signal: AbortSignal) => Promise<T | Clack['CANCEL_SYMBOL']>,
): Promise<T> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  input.once('end', end);
  try {
    const clack = await import('@clack/prompts');
    const reply = await run(clack, ended.signal);
    if (clack.isCancel(reply)) throw new ConfigurationError('cancelled: a question was not answered');
    return reply;
  } finally {
    input.off('end', end);
  }
}

function describeRefusal(check: (text: string) => unknown, text: string): string | undefined {
  try {
    check(text);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}
