import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { PageVisit } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours that axe-core runs by default. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Lists the findings of axe-core. In the dark scheme only the rules about colours run: the others find the same in both.
 *
 * @param impacts the findings of these impacts; all by default
 * @param part selects the part of the page that is read, because a whole page takes seconds; all of it by default
 */
export async function findAccessibilityProblems(
  page: Page,
  colorScheme: 'light' | 'dark',
  impacts?: readonly string[],
  part = 'html',
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme });
  const rules = colorScheme === 'dark' ? { runOnly: COLOUR_RULES } : {};
  // The policy of the page allows no script that is added to it.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(part)}, ${JSON.stringify({ ...rules, resultTypes: ['violations'] })})
      .then(({ violations }) => JSON.stringify(violations
        .map(({ id, impact, nodes }) => [impact, id + ': ' + nodes[0].html.slice(0, 200)])))`,
    awaitPromise: true,
    returnByValue: true,
  });
  const findings: readonly (readonly [impact: string, text: string])[] = JSON.parse(String(result.value));
  return findings
    .filter(([impact]) => impacts === undefined || impacts.includes(impact))
    .map(([, text]) => text);
}

/** The impacts of findings that are serious or worse. */
export const SERIOUS: readonly string[] = ['serious', 'critical'];

/** Findings that are serious or worse. */
export function findSeriousProblems(
  page: Page,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<readonly string[]> {
  return findAccessibilityProblems(page, colorScheme, SERIOUS);
}

/**
 * Lists what is wrong with a page: for its readers in light and dark, at a width of 360 pixels, in its console, and the requests to others.
 *
 * @param impacts findings of these impacts; all by default
 */
export async function findPageProblems(
  { console, crossOrigin, page }: PageVisit,
  impacts?: readonly string[],
): Promise<readonly string[]> {
  const light = await findAccessibilityProblems(page, 'light', impacts);
  const dark = await findAccessibilityProblems(page, 'dark', impacts);
  await page.setViewportSize({ width: 360, height: 780 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  // Chromium suggests a field for a name of a user beside the token of the sign-in.
  const messages = console.filter((message) => !message.startsWith('verbose: [DOM] Password forms'));
  return [...light, ...dark, ...(width > 360 ? [`${width} pixels wide`] : []), ...messages, ...crossOrigin()];
}
