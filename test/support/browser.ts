import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { closeAfterTest } from './close-after-test.ts';

/** Chromium of Debian. Its shell without windows, which `.ci/run` installs, takes a third of the CPU time for a page. */
const CHROMIUM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Flags that let Chromium start as root, and that stop its requests to Google's hosts at each start. */
const LAUNCH_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No other name resolves.
  '--host-resolver-rules=MAP *.example.com 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
];

/** Milliseconds after which nothing more is expected of a page, on a busy machine too. */
const WAIT = 90_000;

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
}

/** One for all files of a run. It ends with the process that has started it. */
let started: ReturnType<typeof chromium.launch> | undefined;

/** Provides headless Chromium to the tests of a file. Names below example.com are the loopback interface. It accepts any certificate. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = CHROMIUM_PATHS.find((path) => existsSync(path));
    if (executablePath === undefined)
      throw new Error('no Chromium is installed: apt-get install chromium-headless-shell');
    started ??= chromium.launch({ executablePath, headless: true, args: LAUNCH_FLAGS });
    browser = await started;
  }, 60_000);
  return {
    async visit(url) {
      if (browser === undefined) throw new Error('the browser is available within tests only');
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        ignoreHTTPSErrors: true,
      });
      context.setDefaultTimeout(WAIT);
      // An open page costs time: it refreshes itself, and holds connections.
      closeAfterTest(() => context.close());
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
  };
}

/** Fills in the form of wp-login.php. Its script moves the focus a moment after it was loaded, also in the middle of a text. */
export async function fillLogin(page: Page, user: string, password: string): Promise<void> {
  await page.waitForFunction("document.activeElement?.id === 'user_login'");
  await page.fill('#user_login', user);
  await page.fill('#user_pass', password);
}
