import { describe, expect, test, vi } from 'vitest';
import { withProgress } from '../../src/cli/io.ts';
import { allowsColours, withColours } from '../../src/cli/terminal.ts';
import { runCommand } from './run-command.ts';

describe('text in a terminal', () => {
  test('what is wrong is red', () => {
    const text = 'waygate.yaml:1:2: error: sites is required';
    expect(withColours(text)).toBe('waygate.yaml:1:2: \u001b[31merror\u001b[39m: sites is required');
  });

  // direnv/direnv#1551
  test.each<[env: Record<string, string>, colours: boolean, isErased: boolean]>([
    [{}, true, true],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1' }, false, true],
    [{ TERM: 'dumb' }, false, false],
  ])('with %j: colours %j, progress erased %j', async (env, colours, isErased) => {
    expect(allowsColours(env)).toBe(colours);
    let written = '';
    const writeErr = (text: string): void => {
      written += text;
    };
    await withProgress({ env, isInteractive: true, writeErr }, async (onProgress) =>
      onProgress({ step: 'request', url: 'https://example.com/' }),
    );
    expect(written.includes('\u001b[K')).toBe(isErased);
  });
});

test('Ctrl-C erases the progress before it ends the process', async () => {
  const written: string[] = [];
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    written.push('ended');
    return true;
  });
  const writeErr = (text: string): void => void written.push(text);
  await withProgress({ env: {}, isInteractive: true, writeErr }, async (onProgress) => {
    onProgress({ step: 'request', url: 'https://example.com/' });
    process.emit('SIGINT');
  });
  kill.mockRestore();
  expect(written.slice(1, 3)).toEqual(['\r\u001b[K', 'ended']);
});

test('waygate without a command prints the help, at a terminal too', async () => {
  const { err, out } = await runCommand([], { replies: [] });
  expect(out + err).toMatch(/^Usage: waygate/m);
});

test('no message repeats the password of an address that is in the wrong place', async () => {
  const { err } = await runCommand(['https://ann:secret-word@example.com/']);
  expect(err).toContain('https://example.com/');
  expect(err).not.toContain('secret-word');
});
