import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Channel } from '../../src/cli/serve/workers/messages.ts';

interface Exchanges {
  readonly double: { readonly content: number; readonly reply: number };
}

test('a handler that throws ends nothing: its message gets no value, and the next messages are handled', async () => {
  const errors: unknown[] = [];
  const handlers = {
    double: (content: number) => {
      if (content === 1) throw new Error('no');
      return content === 2 ? Promise.reject(new Error('later')) : 2 * content;
    },
  };
  const other: Channel<Exchanges, Exchanges> = new Channel<Exchanges, Exchanges>(
    (messages) => one.receive(structuredClone(messages) as Parameters<typeof one.receive>[0]),
    handlers,
    (error) => errors.push(error),
  );
  const one: Channel<Exchanges, Exchanges> = new Channel<Exchanges, Exchanges>(
    (messages) => other.receive(structuredClone(messages) as Parameters<typeof other.receive>[0]),
    handlers,
    (error) => errors.push(error),
  );
  const replies = Promise.all([1, 2, 3].map((content) => one.call('double', content)));
  await setImmediate();
  expect(await replies).toEqual([undefined, undefined, 6]);
  expect(errors).toEqual([new Error('no'), new Error('later')]);
});
