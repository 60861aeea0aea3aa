import type { Readable, Writable } from 'node:stream';
import { ConfigurationError } from '../errors.ts';
import type { Prompts } from './io.ts';

export function createPrompts(input: Readable, output: Writable): Prompts {
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

/** Loaded on use: most commands ask nothing. */
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
