// @ts-check
// Sends requests to the example sites, so that the pages of the console show traffic, a filled store, evidence and problems.
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two rounds. */
const PAUSE = 250;

/** @type {readonly { path: string, weight: number, method?: string, body?: unknown, every?: number }[]} */
const REQUESTS = [
  { path: '/content/core/v2/posts?per_page=5', weight: 6 },
  { path: '/content/core/v2/posts?per_page=5&page=2', weight: 3 },
  { path: '/content/core/v2/posts?search=release&_fields=id,title', weight: 2 },
  { path: '/content/core/v2/pages?per_page=10', weight: 2 },
  { path: '/content/core/v2/media?per_page=3', weight: 2 },
  { path: '/content/core/v2/posts/296', weight: 4 },
  { path: '/content/docs', weight: 1, every: 6 },
  { path: '/content/core/v2/posts?per_page=1000', weight: 1, every: 9 },
  { path: '/content/core/v2/posts?orderby=weight', weight: 1, every: 14 },
  { path: '/content/core/v2/posts/999999', weight: 1, every: 11 },
  { path: '/content/core/v2/settings', weight: 1, every: 21 },
  { path: '/content/core/v2/posts', method: 'POST', body: { title: 7 }, weight: 1, every: 31 },
  { path: '/content/core/v2/posts/296', method: 'POST', body: { sticky: false }, weight: 1, every: 40 },
  { path: '/boards/boards/v2/projects?per_page=5', weight: 2 },
  { path: '/boards/boards/v2/projects/1/tasks', weight: 1 },
];

/**
 * Sends rounds of requests until it is aborted. Writes are signed.
 *
 * @param {string} origin of the gateway
 * @param {string} credentials application password, `login:password`
 * @param {AbortSignal} signal
 */
export async function sendTraffic(origin, credentials, signal) {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  for (let round = 0; !signal.aborted; round += 1) {
    const sent = REQUESTS.filter(({ every = 1 }) => round % every === 0).flatMap((request) =>
      Array.from({ length: request.weight }, () => request),
    );
    for (const { body, method = 'GET', path } of sent) {
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = method === 'GET' ? {} : { authorization, 'content-type': 'application/json' };
      const response = await fetch(origin + path, { method, headers, ...content });
      await response.arrayBuffer();
    }
    await wait(PAUSE);
  }
}
