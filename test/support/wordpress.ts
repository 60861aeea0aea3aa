import { afterAll, beforeAll, inject } from 'vitest';
import {
  startWordPress,
  type WordPress,
  type WordPressInfo,
  type WordPressOptions,
} from '../../scripts/wordpress/start.mjs';

export { startWordPress, type WordPress, type WordPressInfo, type WordPressOptions };

declare module 'vitest' {
  interface ProvidedContext {
    /** The site of the whole run, where `wordpress.setup.ts` started one. */
    wordpress: WordPressInfo | undefined;
  }
}

/**
 * A real site for the tests of a file: the run's own where nothing special is asked for, else one for this file.
 *
 * ```ts
 * const site = useWordPress();
 * test('…', async () => { await fetch(site().url); });
 * ```
 * Tests that change the shared site put it back: other files read the same posts.
 */
export function useWordPress(options?: WordPressOptions): () => WordPressInfo {
  const shared = options === undefined ? inject('wordpress') : undefined;
  let dedicated: WordPress | undefined;
  beforeAll(async () => {
    if (shared === undefined) dedicated = await startWordPress(options);
  }, 60_000);
  afterAll(async () => {
    await dedicated?.stop();
  }, 30_000);
  return () => {
    const site = shared ?? dedicated;
    if (site === undefined) throw new Error('the site is there within tests and hooks only');
    return site;
  };
}

/** `Authorization` for a user of the site: an application password. */
export function basicAuth({ user, password }: { readonly user: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
