import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** Debian's, as `.ci/run` installs it. */
const CHROMIUM_PATH = '/usr/bin/chromium';

/** Without these a headless Chromium that runs as root doesn't start, or asks Google's hosts at every start. */
const LAUNCH_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One folder for all runs: a picture is worth keeping until the next one. */
const SCREENSHOT_FOLDER = join(tmpdir(), 'waygate-screenshots');

/** A page that was opened, and what it did behind the reader's back. */
export interface PageVisit {
  readonly page: Page;
  /** Every line that it wrote to the console and every error that nobody caught, `type: text`. */
  readonly console: readonly string[];
  /** Every address that it asked for, but `data:` and `blob:`. */
  readonly requests: readonly string[];
  /** Those of `requests` that are of another origin than the page. */
  crossOrigin(): string[];
}

export interface TestBrowser {
  /** Opens an address in a new page, with nothing remembered of earlier ones. */
  visit(url: string): Promise<PageVisit>;
  /** Takes a picture for people to look at, in place of the last run's. @returns its path */
  screenshot(page: Page, name: string): Promise<string>;
}

/** Headless Chromium for the tests of a file. */
export function useBrowser(): TestBrowser {
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  beforeAll(async () => {
    if (!existsSync(CHROMIUM_PATH)) throw new Error(`${CHROMIUM_PATH} is missing: apt-get install chromium`);
    browser = await chromium.launch({ executablePath: CHROMIUM_PATH, headless: true, args: LAUNCH_FLAGS });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  }, 30_000);
  return {
    async visit(url) {
      if (browser === undefined) throw new Error('the browser is there within tests only');
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
      const page = await context.newPage();
      const lines: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`));
      context.on('request', (request) => {
        if (/^(https?|wss?):/.test(request.url())) requests.push(request.url());
      });
      await page.goto(url);
      const { origin } = new URL(url);
      return {
        page,
        console: lines,
        requests,
        crossOrigin: () => requests.filter((url) => new URL(url).origin !== origin),
      };
    },
    async screenshot(page, name) {
      const path = join(SCREENSHOT_FOLDER, `${name}.png`);
      await page.screenshot({ path });
      return path;
    },
  };
}
