import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { PageVisit } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What differs from the rules that axe-core runs by default: those of WCAG 2.2 AA that are new or experimental. */
const RULES = {
  'target-size': { enabled: true },
  'css-orientation-lock': { enabled: true },
  'label-content-name-mismatch': { enabled: true },
  'td-has-header': { enabled: true },
  'p-as-heading': { enabled: true },
  'table-fake-caption': { enabled: true },
};

/** The rules about colours that axe-core runs by default. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The width of a phone, in pixels. */
const PHONE_WIDTH = 360;

/**
 * Lists the findings of axe-core: WCAG 2.0, 2.1 and 2.2, levels A and AA, and its best practices, of any impact. In the dark scheme only
 * the rules about colours run, and without colours all others: they find the same in both, and colours are the same at each width.
 *
 * @param part selects the part of the page that is read, because a whole page takes seconds; all of it by default
 */
export async function findAccessibilityProblems(
  page: Page,
  scheme: 'light' | 'dark' | 'no colours' = 'light',
  part = 'html',
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: scheme === 'dark' ? 'dark' : 'light' });
  const colours = Object.fromEntries(COLOUR_RULES.map((name) => [name, { enabled: scheme === 'light' }]));
  const rules = scheme === 'dark' ? { runOnly: COLOUR_RULES } : { rules: { ...RULES, ...colours } };
  await layOutWholePage(page);
  // The policy of the page allows no script that is added to it.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(part)}, ${JSON.stringify({ ...rules, resultTypes: ['violations'] })})
      .then(({ violations }) => JSON.stringify(violations
        .map(({ id, nodes }) => id + ' (' + nodes.length + '): ' + nodes[0].html.slice(0, 200))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(String(result.value));
}

/** Lays out what `content-visibility: auto` skips: axe-core takes the targets of a skipped part for points. */
async function layOutWholePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (getComputedStyle(element).contentVisibility === 'auto') element.style.contentVisibility = 'visible';
    }
  });
}

/**
 * Lists what is wrong with a page: for its readers in light and dark, at its width and at a phone's, in its console, and the requests
 * to others.
 */
export async function findPageProblems({
  console,
  crossOrigin,
  page,
}: PageVisit): Promise<readonly string[]> {
  const light = await findAccessibilityProblems(page, 'light');
  const dark = await findAccessibilityProblems(page, 'dark');
  await page.setViewportSize({ width: PHONE_WIDTH, height: 780 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const narrow = await findAccessibilityProblems(page, 'no colours');
  // Chromium suggests a field for a name of a user beside the token of the sign-in.
  const messages = console.filter((message) => !message.startsWith('verbose: [DOM] Password forms'));
  const tooWide = width > PHONE_WIDTH ? [`${width} pixels wide`] : [];
  const narrowOnly = narrow.map((text) => `narrow: ${text}`);
  return [...light, ...dark, ...narrowOnly, ...tooWide, ...messages, ...crossOrigin()];
}
