import { createInterface } from 'node:readline/promises';
import { ConfigurationError } from '../errors.ts';

/**
 * Asks a person and returns one line.
 *
 * @throws {ConfigurationError} when the person ends the input (Ctrl+D) or the command (Ctrl+C) instead
 */
export async function askOnTerminal(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  const terminal = createInterface({ input, output });
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
