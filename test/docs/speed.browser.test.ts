import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { wholeShopDocument } from '../support/recorded-indexes.ts';

const browser = useBrowser();
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startNodeGateway({
    sites: [{ url: 'https://example.com/', discovery: 'off', document: wholeShopDocument() }],
  });
});
afterAll(async () => gateway.stop());

/** What a page of a document with 1,400 operations costs the browser. */
test.each(['/docs', '/docs/wp/v2/posts'])(
  '%s is painted soon, and blocks the browser for a short time',
  async (path) => {
    // The first visit renders the page; the server keeps it.
    await browser.visit(gateway.origin + path);
    const { page } = await browser.visit('about:blank');
    const session = await page.context().newCDPSession(page);
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await session.send('Network.enable');
    await page.addInitScript(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(gateway.origin + path);
    await page.keyboard.press('/');
    await page.keyboard.type('update a post');
    await page.getByRole('option').first().waitFor();
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    const longest = await page.evaluate(() => Math.max(0, ...(Reflect.get(globalThis, 'tasks') as number[])));
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    console.info(JSON.stringify({ path, paint, longest, bytes, heap: usedSize }));
    // What the worker of the search loads is not counted; `npm run bench:docs` does. Times depend on the load of the
    // machine, so their bounds are wide.
    expect(bytes).toBeLessThan(120_000);
    expect(usedSize).toBeLessThan(15_000_000);
    expect(paint).toBeLessThan(3_000);
    expect(longest).toBeLessThan(1_000);
  },
);
