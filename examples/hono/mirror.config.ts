/**
 * Sends one in a hundred reads to a second site too, such as a new server before a move. Its responses are thrown away.
 * Cost of a hit: the request passes through Hono; the copy is sent while the client gets its response.
 */
import { defineGateway } from 'waygate';

const {
  MIRROR_URL = 'https://new.example.com',
  SHARE = '0.01',
  SITE_URL = 'https://www.example.com',
} = process.env;
/** Copies at a time, so that a slow mirror costs no memory. */
const MAX_COPIES = 50;
let copies = 0;

async function sendCopy(url: string): Promise<void> {
  copies += 1;
  try {
    const { pathname, search } = new URL(url);
    // Without the fields of the client: they may hold credentials.
    const response = await fetch(MIRROR_URL + pathname + search, { signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
  } catch {
    // Clients must not see that the mirror fails.
  } finally {
    copies -= 1;
  }
}

export default defineGateway({
  sites: [{ url: SITE_URL, passthrough: true }],
  cache: { store: 'memory' },
  app(app) {
    app.get('/wp-json/*', async (c, next) => {
      if (Math.random() < Number(SHARE) && copies < MAX_COPIES) void sendCopy(c.req.url);
      await next();
    });
  },
});
