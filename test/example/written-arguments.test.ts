import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/json.ts';
import {
  checkShown,
  listOperations,
  NOT_SHOWN,
  type Operation,
  prepare,
  SITES,
  sendTo,
  shows,
  valuesOf,
} from './support/written-arguments.ts';

/** The writing operations. */
const operations = (await listOperations()).filter(({ method }) => method !== 'GET');

/** Creates the data again for an operation. */
async function resetFor({ name, site }: Operation): Promise<void> {
  SITES[site].reset();
  for (const [method, route, body, hasPicture] of prepare(name).before ?? []) {
    const { status } = await sendTo(site, method, route, body, hasPicture);
    expect(status, route).toBeLessThan(300);
  }
}

/** Writes an argument with each of its values, and returns those that are refused or not shown afterwards. */
async function writeEach(operation: Operation, argument: string): Promise<string[]> {
  const { name, site, method, path, args } = operation;
  // PUT and PATCH of the content site have the endpoint of POST: two values show that.
  const isRepeated = site === 'content' && (method === 'PUT' || method === 'PATCH');
  const { values = {}, body = {}, companions = {}, isSingle = false } = prepare(name);
  const own = (each: string): readonly Json[] => values[each] ?? valuesOf(site, each, args.get(each) ?? {});
  const required = [...args].filter(([, schema]) => schema['required'] === true).map(([each]) => each);
  const base = Object.fromEntries(required.map((each): [string, Json] => [each, own(each)[0] ?? null]));
  const faults: string[] = [];
  for (const value of own(argument).slice(isRepeated ? -2 : 0)) {
    if (isReasonKnown(name, argument, value)) continue;
    if (isSingle) await resetFor(operation);
    const sent: Record<string, Json> = {
      ...base,
      ...body,
      ...companions[argument],
      ...companions[`${argument}=${value}`],
      [argument]: value,
    };
    const filled = path.replace(/\{(\w+)\}/g, (_, each: string) => String(own(each)[0]));
    const hasFile = args.has('file') || argument === 'file';
    delete sent['file'];
    const reply = await sendTo(site, method, filled, sent, hasFile);
    const shown =
      reply.status < 300
        ? await checkShown(name, argument, value, { reply, sent, path: filled })
        : reply.body;
    if (reply.status >= 300 || !shows(shown, value)) {
      faults.push(`${argument} = ${JSON.stringify(value)}: ${JSON.stringify(shown)?.slice(0, 300)}`);
    }
  }
  return faults;
}

function isReasonKnown(name: string, argument: string, value?: Json): boolean {
  return NOT_SHOWN.some(
    ([start, names, , values]) =>
      name.startsWith(start) &&
      names.split(' ').includes(argument) &&
      (values === undefined || (value !== undefined && values.includes(value))),
  );
}

describe('every argument of a writing operation', () => {
  test.each(operations)('$name: what is written is read back', async (operation) => {
    await resetFor(operation);
    const faults: string[] = [];
    for (const argument of operation.args.keys()) faults.push(...(await writeEach(operation, argument)));
    expect(faults).toEqual([]);
  });

  const all = operations.flatMap(({ name, args }) =>
    [...args.keys()].map((argument) => ({ name, argument })),
  );

  test.each(NOT_SHOWN.map(([start, names, reason]) => ({ start, names, reason })))(
    '$start: $names cannot be read back, because $reason',
    ({ start, names }) => {
      const named = names.split(' ');
      expect(all.some(({ name, argument }) => name.startsWith(start) && named.includes(argument))).toBe(true);
    },
  );

  test('has been counted', () => {
    const isRead = ({ name, argument }: (typeof all)[number]): boolean => !isReasonKnown(name, argument);
    expect({ written: all.length, read: all.filter(isRead).length }).toEqual({ written: 440, read: 414 });
  });
});
