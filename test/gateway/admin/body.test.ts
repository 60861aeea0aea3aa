import { expect, test } from 'vitest';
import { readAdminBody } from '../../../src/gateway/admin/admin-request-body.ts';

const PIECE = 64 * 1024;
const MOST = 1024 * 1024;

/** A body that goes on for as long as it is read, up to a length. */
function request(length: number): { readonly request: Request; given(): number; isCancelled(): boolean } {
  let given = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const size = Math.min(PIECE, length - given);
        if (size === 0) controller.close();
        else controller.enqueue(new Uint8Array(size).fill(0x61));
        given += size;
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
    given: () => given,
    isCancelled: () => isCancelled,
  };
}

test.each([0, 1, PIECE + 1, MOST])('a body of %i bytes is read whole', async (length) => {
  const body = await readAdminBody(request(length).request);
  expect(body?.byteLength).toBe(length);
});

test('a request without body has an empty body', async () => {
  expect(await readAdminBody(new Request('http://gateway.example.com/', { method: 'POST' }))).toEqual(
    new Uint8Array(),
  );
});

test('a longer body is canceled after one mebibyte and a chunk', async () => {
  const endless = request(1024 * MOST);
  expect(await readAdminBody(endless.request)).toBeNull();
  expect(endless.given()).toBeLessThanOrEqual(MOST + 2 * PIECE);
  expect(endless.isCancelled()).toBe(true);
});
