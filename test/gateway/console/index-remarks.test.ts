import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics.ts';
import { indexRemarks } from '../../../src/gateway/console/document.tsx';
import { toText } from './support/console-client.ts';

const remark = (route: string, pointer: string, message = '`context` is a list.'): Diagnostic => ({
  rule: 'context',
  severity: 'info',
  route,
  pointer,
  message,
  action: 'Kept.',
});
const read = async (remarks: readonly Diagnostic[], count = remarks.length): Promise<string> =>
  toText((await indexRemarks([['context', count]], remarks)).toString());

test('remarks of the same words are one, with the number of places of each route', async () => {
  const remarks = [remark('/a', '/1'), remark('/b', '/2'), remark('/a', '/3'), remark('/c', '/4', 'Other.')];
  const text = await read(remarks);
  // The fold says what its rule is about.
  expect(text).toContain('context 4 `context` is a list. `context` is a list. Kept. /a (2), /b ');
  expect(text).toContain('Other. Kept. /4');
});

test('many places and many words are bounded, and the rest is counted', async () => {
  const places = Array.from({ length: 600 }, (_, at) => remark(`/${at}`, `/${at}`));
  expect(await read(places)).toContain('/11 and 588 more routes');
  const words = Array.from({ length: 60 }, (_, at) => remark('/a', `/${at}`, `Message ${at}.`));
  expect(await read(words, 1_060)).toContain('And 1,010 more: `waygate generate` lists all.');
});

test('texts of the site are escaped', async () => {
  const html = await indexRemarks([['context', 1]], [remark('/<script>', '/x', '<script>\u001b[31m')]);
  expect(html.toString()).not.toMatch(/<script>|\u001b/);
});
