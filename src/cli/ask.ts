import { ConfigurationError } from '../errors.ts';
import type { CommandIo } from './io.ts';

/**
 * Creates a function that asks a person. Lines that are pasted together are the replies to several questions. The function
 * rejects with a `ConfigurationError` when the person ends the input (Ctrl+D) or the command (Ctrl+C) instead.
 */
export function createTerminalAsk(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): NonNullable<CommandIo['ask']> {
  const waiting: string[] = [];
  return async (question) => {
    const line = waiting.shift();
    if (line === undefined) return askOnce(question, waiting, input, output);
    output.write(`${question}${line}\n`);
    return line;
  };
}

/** @param waiting receives the lines after the first */
async function askOnce(
  question: string,
  waiting: string[],
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  // Most commands ask nothing, so the module is loaded only when one does.
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input, output });
  terminal.on('line', (line) => waiting.push(line));
  // Versions of Node differ in whether the end of the input rejects the question.
  const ended = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new Error('the input ended')));
  });
  try {
    return await Promise.race([terminal.question(question), ended]);
  } catch (cause) {
    output.write('\n');
    throw new ConfigurationError('cancelled: a question has no reply', { cause });
  } finally {
    terminal.close();
  }
}
