import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Prompts } from '../../src/cli/io.ts';
import { createPrompts } from '../../src/cli/prompts.ts';
import { ConfigurationError } from '../../src/errors.ts';
import { waitUntil } from '../support/wait.ts';

const [ENTER, CTRL_C] = ['\r', '\u0003'];

/** Asks on a terminal, types each text when the terminal shows what stands before it, and returns reply and screen. */
async function type<T>(
  ask: (prompts: Prompts) => Promise<T>,
  ...keys: readonly (readonly [shown: string, text: string])[]
): Promise<{ reply: T; screen: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let screen = '';
  output.on('data', (chunk) => {
    screen += chunk;
  });
  const reply = ask(createPrompts(input, output));
  reply.catch(() => {});
  for (const [shown, text] of keys) {
    await waitUntil(() => screen.includes(shown));
    if (text === '') input.end();
    else input.write(text);
  }
  return { reply: await reply, screen };
}

const isLong = (text: string): void => {
  if (text.length < 3) throw new ConfigurationError(`"${text}" is too short`);
};

test.each<[string, (prompts: Prompts) => Promise<unknown>, readonly (readonly [string, string])[], unknown]>([
  ['a text', (prompts) => prompts.askText('Name?'), [['Name?', `Ada${ENTER}`]], 'Ada'],
  [
    'the preset of a text',
    (prompts) => prompts.askText('Folder?', 'src', isLong),
    [['Folder?', ENTER]],
    'src',
  ],
  [
    'a text that is asked for again',
    (prompts) => prompts.askText('Name?', undefined, isLong),
    [
      ['Name?', `A${ENTER}`],
      ['"A" is too short', `da${ENTER}`],
    ],
    'Ada',
  ],
  [
    'one of several choices',
    (prompts) => prompts.askChoice('Which?', ['first', 'second']),
    [['Which?', `\u001b[B${ENTER}`]],
    'second',
  ],
  ['yes as the preset', (prompts) => prompts.askYesNo('Sure?', true), [['Sure?', ENTER]], true],
])('asks for %s', async (_what, ask, keys, reply) => {
  expect((await type(ask, ...keys)).reply).toEqual(reply);
});

test.each([
  ['Ctrl+C', CTRL_C],
  ['the end of the input', ''],
])('%s ends with exit code 2', async (_what, key) => {
  await expect(type((prompts) => prompts.askText('Name?'), ['Name?', key])).rejects.toMatchObject({
    name: 'ConfigurationError',
    exitCode: 2,
    message: expect.stringContaining('cancelled'),
  });
});
