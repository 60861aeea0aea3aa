import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** Chromium of Debian, which `.ci/run` installs. */
const CHROMIUM_PATH = '/usr/bin/chromium';

/** Flags that let Chromium start as root, and that stop its requests to Google's hosts at each start. */
const LAUNCH_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Each run overwrites the screenshots of the last one. */
const SCREENSHOT_FOLDER = join(tmpdir(), 'waygate-screenshots');

/** An open page with its console output and requests. */
export interface PageVisit {
  readonly page: Page;
  /** Console messages and uncaught errors, as `type: text`. */
  readonly console: readonly string[];
  /** URLs of all requests of the page, except `data:` and `blob:`. */
  readonly requests: readonly string[];
  /** Returns the URLs of `requests` that are not on the page's origin. */
  crossOrigin(): string[];
}

/** Browser of a test file. */
export interface TestBrowser {
  /**
   * Opens a URL in a new page with a new browser context (no cookies, no cache). A page that a test opens is closed after it; one
   * of a hook is closed after the tests of the file.
   */
  visit(url: string): Promise<PageVisit>;
  /** Saves a screenshot for manual inspection. @returns its path */
  screenshot(page: Page, name: string): Promise<string>;
}

/** Options of {@link useBrowser}. */
export interface BrowserOptions {
  /** Host names of the loopback interface. No other name resolves then. @default names resolve as usual */
  readonly loopbackNames?: readonly string[];
  /** Whether any certificate is accepted. @default false */
  readonly ignoresCertificates?: boolean;
}

/** Starts headless Chromium before the tests of a file and stops it after them. */
export function useBrowser({
  ignoresCertificates = false,
  loopbackNames = [],
}: BrowserOptions = {}): TestBrowser {
  const rules = [
    ...loopbackNames.map((name) => `MAP ${name} 127.0.0.1`),
    'MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  ];
  const args = [
    ...LAUNCH_FLAGS,
    ...(loopbackNames.length === 0 ? [] : [`--host-resolver-rules=${rules.join(' , ')}`]),
  ];
  let browser: Awaited<ReturnType<typeof chromium.launch>> | undefined;
  beforeAll(async () => {
    if (!existsSync(CHROMIUM_PATH)) throw new Error(`${CHROMIUM_PATH} is missing: apt-get install chromium`);
    browser = await chromium.launch({ executablePath: CHROMIUM_PATH, headless: true, args });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  }, 30_000);
  // An open page costs time: it refreshes itself, and holds connections.
  let ofTest: BrowserContext[] | undefined;
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async () => {
    await Promise.all(ofTest?.map((context) => context.close()) ?? []);
    ofTest = undefined;
  });
  return {
    async visit(url) {
      if (browser === undefined) throw new Error('the browser is available within tests only');
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        ignoreHTTPSErrors: ignoresCertificates,
      });
      ofTest?.push(context);
      const page = await context.newPage();
      const lines: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => {
        // A page that is no HTML cannot name its icon, so the browser looks for one.
        if (!message.location().url.endsWith('/favicon.ico'))
          lines.push(`${message.type()}: ${message.text()}`);
      });
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
