import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/**
 * Provides a temporary folder to each test.
 *
 * @param scope `file`: one folder for all tests of the file
 */
export function useFolder(scope: 'test' | 'file' = 'test'): () => string {
  let folder = '';
  const [before, after] = scope === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waygate-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return () => folder;
}
