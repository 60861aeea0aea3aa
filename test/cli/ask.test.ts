import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createTerminalAsk } from '../../src/cli/ask.ts';

describe('a question on the terminal', () => {
  test('returns one line, and leaves the rest to the next question', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ask = createTerminalAsk(input, output);
    const reply = ask('Name? ');
    input.write('Ada\n');
    expect(await reply).toBe('Ada');
    expect(String(output.read())).toContain('Name? ');
    const second = ask('Town? ');
    input.write('London\n');
    expect(await second).toBe('London');
  });

  test('takes lines that are pasted together as the replies to several questions', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ask = createTerminalAsk(input, output);
    const first = ask('Name? ');
    input.write('Ada\n\nyes\n');
    expect([await first, await ask('Town? '), await ask('Sure? ')]).toEqual(['Ada', '', 'yes']);
    output.end();
    expect(await text(output)).toBe('Name? Town? \nSure? yes\n');
  });

  test('ends with exit code 2 and without a stack trace if the input ends', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const reply = createTerminalAsk(input, output)('Name? ');
    input.end();
    await expect(reply).rejects.toMatchObject({
      name: 'ConfigurationError',
      exitCode: 2,
      message: expect.stringContaining('cancelled'),
    });
  });
});
