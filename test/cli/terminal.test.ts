import { expect, test } from 'vitest';
import { withProgress } from '../../src/cli/io.ts';
import { allowsColours } from '../../src/cli/terminal.ts';

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
