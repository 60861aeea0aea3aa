import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ENCODERS } from '../../../src/base/http/content-coding.ts';
import { fieldValue } from '../../../src/base/http/fields.ts';
import { Compressor } from '../../../src/gateway/cache/compressor.ts';
import { MemoryStore } from '../../../src/gateway/cache/stores/memory-store.ts';
import { storedResponse } from './stores/store-contract.ts';

const clock = { now: () => 1_000_000, after: () => () => {} };
const JSON_TYPE = ['Content-Type', 'application/json; charset=UTF-8'];
const text = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, title: `Post ${id}` })));
const body = new TextEncoder().encode(text);

describe('whether a response may be compressed', () => {
  const CASES: readonly [string, readonly string[], number, number, boolean][] = [
    ['JSON', JSON_TYPE, 200, 2000, true],
    ['a feed', ['content-type', 'Application/RSS+XML'], 200, 2000, true],
    ['a drawing', ['Content-Type', 'image/svg+xml'], 200, 1024, true],
    ['less than 1 KiB', JSON_TYPE, 200, 1023, false],
    ['a picture', ['Content-Type', 'image/png'], 200, 2000, false],
    ['a body that is coded already', [...JSON_TYPE, 'Content-Encoding', 'gzip'], 200, 2000, false],
    ['what must stay unchanged', [...JSON_TYPE, 'Cache-Control', 'public, No-Transform'], 200, 2000, false],
    ['a part', [...JSON_TYPE, 'Content-Range', 'bytes 0-1999/5000'], 206, 2000, false],
    ['a body with a digest of its bytes', [...JSON_TYPE, 'Content-Digest', 'sha-256=:x:'], 200, 2000, false],
  ];
  test.each(CASES)('%s', (_, headers, status, length, codable) => {
    const { encode, select } = subject(headers, new Uint8Array(length), status);
    select('gzip');
    expect(encode).toHaveBeenCalledTimes(codable ? 1 : 0);
  });
});

/** A stored response whose forms are compressed with gzip, each as soon as it is asked for. */
function subject(headers: readonly string[] = JSON_TYPE, bytes: Uint8Array = body, status = 200) {
  const store = new MemoryStore({ clock });
  const gzip = ENCODERS.find(({ coding }) => coding === 'gzip');
  if (gzip === undefined) throw new Error('each Node has gzip');
  const encode = vi.spyOn(gzip, 'encode');
  onTestFinished(() => encode.mockRestore());
  const compressor = new Compressor(store);
  store.put('/a', storedResponse(clock.now() + 1, { headers, body: bytes, status }), 0);
  const select = (acceptEncoding: string | undefined) => {
    const [found] = store.get('/a').responses;
    if (found === undefined) throw new Error('it was put');
    return compressor.selectRepresentation('/a', found, acceptEncoding);
  };
  /** Waits until the coder has ended, and its result was used. */
  const finish = async () => {
    await Promise.allSettled(encode.mock.results.map(({ value }) => value));
    await endOfTurn();
  };
  return { store, select, encode, finish };
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('compressed forms of a stored response', () => {
  test('that are not smaller are tried once and not stored', async () => {
    const noise = new Uint8Array(randomBytes(5000));
    const { select, encode, finish } = subject(JSON_TYPE, noise);
    for (let hit = 0; hit < 5; hit += 1) {
      expect(select('gzip').body).toEqual(noise);
      await finish();
    }
    expect(encode).toHaveBeenCalledTimes(1);
  });

  test('get the new headers of a 304 without being compressed again, and go with the body', async () => {
    const { store, select, encode, finish } = subject([...JSON_TYPE, 'ETag', '"1"']);
    select('gzip');
    await finish();
    const [found] = store.get('/a').responses;
    if (found === undefined) throw new Error('it was put');
    store.put('/a', { ...found, headers: [...JSON_TYPE, 'ETag', '"1"', 'X-New', 'yes'] }, 0);
    expect(fieldValue(select('gzip').headers, 'x-new')).toBe('yes');
    expect(fieldValue(select('gzip').headers, 'content-encoding')).toBe('gzip');
    expect(gunzipSync(select('gzip').body).toString()).toBe(text);
    expect(encode).toHaveBeenCalledTimes(1);
    const other = new TextEncoder().encode(text.replaceAll('Post', 'Page'));
    store.put('/a', { ...found, body: other }, 0);
    expect(select('gzip').body).toEqual(other);
  });

  test('are replaced by the identity body if a codec fails', async () => {
    const { encode, finish, select } = subject();
    encode.mockRejectedValue(new Error('no memory'));
    select('gzip');
    await finish();
    expect(select('gzip').body).toEqual(body);
  });
});
