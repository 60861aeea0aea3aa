import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Findings of axe-core that are serious or worse. The policy of the page allows no script that is added to it. */
export async function findSeriousProblems(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value));
}
