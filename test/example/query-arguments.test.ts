import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../src/json.ts';
import { toList, toObject } from './support/documented-operations.ts';
import { ask, ruleOf } from './support/query-arguments.ts';
import { listOperations, type Operation } from './support/site-operations.ts';

const operations = (await listOperations()).filter(({ method }) => method === 'GET');

/** Asks with each value of an argument, and returns what shows that the site ignores it. */
async function check(operation: Operation, argument: string): Promise<string[]> {
  const { name, args } = operation;
  const rule = ruleOf(name, argument);
  if (rule === undefined) return [`${argument}: no rule`];
  if (rule.unchecked !== undefined) return [];
  const { enum: named, items } = args.get(argument) ?? {};
  const ofItems = toList(toObject(items)['enum']).map((each) => [each]);
  const values = rule.values ?? [...toList(named), ...ofItems];
  const faults: string[] = [];
  const shown = new Map<string, Json>();
  for (const value of values) {
    const query = { ...rule.beside, ...(value === null ? {} : { [argument]: value }) };
    const { status, body } = await ask(operation, query);
    const place = `${argument}=${JSON.stringify(value)}`;
    const text = JSON.stringify(body);
    if (status !== 200) faults.push(`${place}: ${text.slice(0, 200)}`);
    const list = toList(body).filter(isJsonObject);
    const wrong = value === null ? undefined : list.find((item) => rule.holds?.(item, value) === false);
    if (wrong !== undefined) faults.push(`${place}: ${JSON.stringify(wrong).slice(0, 200)}`);
    const keys = rule.isSorted?.(value) ? list.flatMap((item) => sortKey(item[String(value)])) : [];
    const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key);
    if (!isSorted) faults.push(`${place}: ${JSON.stringify(keys)}`);
    if (rule.values !== undefined && shown.has(text))
      faults.push(`${place}: as ${JSON.stringify(shown.get(text))}`);
    shown.set(text, value);
  }
  if (shown.size < 2) faults.push(`${argument}: one response for ${JSON.stringify(values)}`);
  return faults;
}

/** What a list is sorted by: numbers and texts in lower case; nothing for another value. */
function sortKey(value: Json | undefined): (string | number)[] {
  const key = toObject(value)['rendered'] ?? value;
  return typeof key === 'number' ? [key] : typeof key === 'string' ? [key.toLowerCase()] : [];
}

describe('every argument of a query', () => {
  test.each(operations)('$name does what it says', async (operation) => {
    const faults: string[] = [];
    for (const argument of operation.args.keys()) faults.push(...(await check(operation, argument)));
    expect(faults).toEqual([]);
  });

  test.each(operations)('$name has _fields and _envelope', async (operation) => {
    const { body } = await ask(operation, {});
    const { body: envelope } = await ask(operation, { _envelope: 1 });
    expect(envelope).toMatchObject({ status: 200, body });
    const [item] = [body].flat();
    const [member] = isJsonObject(item) ? Object.keys(item) : [];
    if (member === undefined) return;
    const [narrow] = [(await ask(operation, { _fields: member })).body].flat();
    expect(Object.keys(toObject(narrow))).toEqual([member]);
  });

  test('has been counted', () => {
    const rules = operations.flatMap(({ name, args }) =>
      [...args.keys()].map((argument) => ruleOf(name, argument)),
    );
    const checked = rules.filter((rule) => rule?.unchecked === undefined);
    expect({ all: rules.length, checked: checked.length }).toEqual({ all: 274, checked: 263 });
  });
});
