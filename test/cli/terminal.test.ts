import { describe, expect, test } from 'vitest';
import { escapeControlCharacters } from '../../src/cli/io.ts';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { runCommand } from './run-command.ts';

/** Clears the screen, sets the title, reorders text: by C0, C1 and bidirectional control characters. */
const HOSTILE = 'a\u001b[2J\u009b31m\u007f\u202etxt.exe\u2066\rb';
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const folder = useFolder();

async function run(args: readonly string[]): Promise<string> {
  const { err, out } = await runCommand(args, { env: { WAYGATE_ADMIN_TOKEN: 'token' } });
  return err + out;
}

test('control characters are escaped as JSON escapes them; text stays as it is', () => {
  expect(escapeControlCharacters(HOSTILE)).toBe('a\\u001b[2J\\u009b31m\\u007f\\u202etxt.exe\\u2066\\u000db');
  expect(escapeControlCharacters('→ é 日本 👍\n\tx')).toBe('→ é 日本 👍\n\tx');
  expect(JSON.parse(escapeControlCharacters(JSON.stringify({ HOSTILE })))).toEqual({ HOSTILE });
});

describe('names that a site chose are escaped by', () => {
  test.each([['generate'], ['generate', '--check', '--json'], ['reconcile']])('%s', async (...command) => {
    const site = await runStubSite({
      index: {
        name: HOSTILE,
        namespaces: [`${HOSTILE}/v1`],
        routes: {
          [`/${HOSTILE}/v1/x`]: {
            namespace: `${HOSTILE}/v1`,
            methods: ['GET'],
            endpoints: [{ methods: ['GET'], args: { [HOSTILE]: { type: HOSTILE } } }],
          },
        },
      },
    });
    const [name = '', ...flags] = command;
    const output = await run([name, site.url, '--out', folder(), ...flags]);
    expect(output).not.toBe('');
    expect(output).not.toMatch(CONTROL);
  });
});
