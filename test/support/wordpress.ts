import { beforeAll, inject } from 'vitest';
import {
  startWordPress,
  type WordPress,
  type WordPressInfo,
  type WordPressOptions,
} from '../../scripts/wordpress/start.mjs';

import { closeAfterTest } from './close-after-test.ts';

export { startWordPress, type WordPress, type WordPressInfo, type WordPressOptions };

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of `wordpress.setup.ts` that starts the site of the whole run. */
    wordpress: string | undefined;
  }
}

/**
 * Provides a real site to the tests of a file: without options the shared site of the run, otherwise a dedicated one.
 *
 * ```ts
 * const site = useWordPress();
 * test('…', async () => { await fetch(site().url); });
 * ```
 * Tests that change the shared site must restore it, because other files read the same posts.
 */
export function useWordPress(options?: WordPressOptions): () => WordPressInfo {
  const starter = options === undefined ? inject('wordpress') : undefined;
  let shared: WordPressInfo | undefined;
  let dedicated: WordPress | undefined;
  beforeAll(async () => {
    if (starter === undefined) {
      dedicated = await startWordPress(options);
      closeAfterTest(dedicated.stop);
    } else {
      const response = await fetch(starter);
      if (!response.ok) throw new Error(await response.text());
      shared = await response.json();
    }
  }, 60_000);
  return () => {
    const site = shared ?? dedicated;
    if (site === undefined) throw new Error('the site is available within tests and hooks only');
    return site;
  };
}

/** Creates the `Authorization` value of a user with an application password. */
export function basicAuth({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
