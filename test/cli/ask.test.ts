import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askOnTerminal } from '../../src/cli/ask.ts';

describe('a question on the terminal', () => {
  test('returns one line, and leaves the rest to the next question', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const reply = askOnTerminal('Name? ', input, output);
    input.write('Ada\n');
    expect(await reply).toBe('Ada');
    expect(String(output.read())).toContain('Name? ');
    const second = askOnTerminal('Town? ', input, output);
    input.write('London\n');
    expect(await second).toBe('London');
  });

  test('ends with exit code 2 and without a stack trace if the input ends', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const reply = askOnTerminal('Name? ', input, output);
    input.end();
    await expect(reply).rejects.toMatchObject({
      name: 'ConfigurationError',
      exitCode: 2,
      message: expect.stringContaining('cancelled'),
    });
  });
});
