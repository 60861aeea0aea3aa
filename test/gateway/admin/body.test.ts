import { expect, test } from 'vitest';
import { readAdminBody } from '../../../src/gateway/admin/admin-handler.ts';

const CHUNK_LENGTH = 64 * 1024;
const MAX_LENGTH = 1024 * 1024;

/** Creates a request whose body streams up to `length` bytes while it is read. */
function createStreamedRequest(length: number): {
  readonly request: Request;
  given(): number;
  isCancelled(): boolean;
} {
  let sentLength = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const size = Math.min(CHUNK_LENGTH, length - sentLength);
        if (size === 0) controller.close();
        else controller.enqueue(new Uint8Array(size).fill(0x61));
        sentLength += size;
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { readonly duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return {
    request: new Request('http://gateway.example.com/-/purge', init),
    given: () => sentLength,
    isCancelled: () => isCancelled,
  };
}

test.each([0, 1, CHUNK_LENGTH + 1, MAX_LENGTH])('a body of %i bytes is read whole', async (length) => {
  const body = await readAdminBody(createStreamedRequest(length).request);
  expect(body?.byteLength).toBe(length);
});

test('a request without body has an empty body', async () => {
  expect(await readAdminBody(new Request('http://gateway.example.com/', { method: 'POST' }))).toEqual(
    new Uint8Array(),
  );
});

test('a longer body is canceled after one mebibyte and a chunk', async () => {
  const endless = createStreamedRequest(1024 * MAX_LENGTH);
  expect(await readAdminBody(endless.request)).toBeNull();
  expect(endless.given()).toBeLessThanOrEqual(MAX_LENGTH + 2 * CHUNK_LENGTH);
  expect(endless.isCancelled()).toBe(true);
});
