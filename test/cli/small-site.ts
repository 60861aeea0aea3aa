import { beforeAll, beforeEach } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { createSmallIndex } from '../support/small-index.ts';
import type { StubRequest, StubSite, StubSiteOptions } from '../support/stub-site.ts';

/** A site with one route, and a folder for each test. */
export interface SmallSite {
  /** What the site responds with from now on, until the end of the test. */
  index: Record<string, unknown>;
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly StubRequest[];
  readonly folder: () => string;
}

export function useSmallSite(
  options: StubSiteOptions = {},
  createIndex: () => Record<string, unknown> = createSmallIndex,
): SmallSite {
  let started: StubSite;
  const site = {
    index: createIndex(),
    folder: useFolder(),
    get url() {
      return started.url;
    },
    get origin() {
      return started.origin;
    },
    get requests() {
      return started.requests;
    },
  };
  beforeAll(async () => {
    started = await runStubSite({ ...options, index: () => site.index });
  });
  beforeEach(() => {
    site.index = createIndex();
  });
  return site;
}
