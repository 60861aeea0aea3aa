import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toSlug, toSnakeCase } from './example-text.ts';
import plausibleValues from './plausible-values.json' with { type: 'json' };

/** Of two members, the one whose name matches has the lesser value. The name of the other is a pattern with its groups. */
const ORDERED = plausibleValues.agreements.map(({ greater, lesser }) => ({
  lesser: new RegExp(lesser),
  greater,
}));

const SUMS = plausibleValues.sums;

/** Largest object whose members are compared with one another. */
const MAX_MEMBERS = 200;

/**
 * Lets members agree: the start comes before the end, a part is no greater than the whole, and a slug is that of the name.
 *
 * @param isFree whether a member may have another value
 */
export function agreeMembers(object: JsonObject, isFree: (name: string) => boolean): JsonObject {
  const names = Object.keys(object);
  if (names.length < 2 || names.length > MAX_MEMBERS) return object;
  const agreed = new Map(Object.entries(object));
  for (const [lesser, greater] of findOrdered(names)) {
    const [one, other] = [agreed.get(lesser), agreed.get(greater)];
    if (one === undefined || other === undefined || !isGreater(one, other)) continue;
    if (!isFree(lesser) || !isFree(greater)) continue;
    agreed.set(lesser, other);
    agreed.set(greater, one);
  }
  const slug = agreed.get('slug');
  const named = ['name', 'title', 'label']
    .map((name) => titleOf(agreed.get(name)))
    .find((text) => text !== undefined);
  if (typeof slug === 'string' && slug.includes('-') && named !== undefined && isFree('slug')) {
    const own = toSlug(named);
    agreed.set('slug', own);
    for (const name of ['link', 'permalink'].filter(isFree)) {
      if (typeof agreed.get(name) === 'string') agreed.set(name, `https://example.com/${own}/`);
    }
  }
  const type = agreed.get('mime_type') ?? agreed.get('type');
  const [, extension] = /^image\/(jpeg|png|gif|webp)$/.exec(typeof type === 'string' ? type : '') ?? [];
  for (const name of extension === undefined ? [] : ['url', 'source_url', 'link_url'].filter(isFree)) {
    const url = agreed.get(name);
    if (typeof url !== 'string') continue;
    const file = toSlug(url.replace(/^.*\//, '').replace(/\.\w+$/, '')) || 'photo';
    agreed.set(name, `https://example.com/uploads/${file}.${extension === 'jpeg' ? 'jpg' : extension}`);
  }
  for (const { whole, parts } of SUMS) {
    const [total, ...summands] = [whole, ...parts].map((name) => agreed.get(name));
    const sum = summands.reduce<number>(
      (all, each) => all + (typeof each === 'number' ? each : Number.NaN),
      0,
    );
    if (typeof total === 'number' && Number.isFinite(sum) && isFree(whole)) agreed.set(whole, sum);
  }
  return Object.fromEntries(agreed);
}

function findOrdered(names: readonly string[]): readonly (readonly [lesser: string, greater: string])[] {
  const written = new Map(names.map((name) => [toSnakeCase(name), name]));
  return [...written].flatMap(([snake, name]) =>
    ORDERED.flatMap(({ greater, lesser }) => {
      if (!lesser.test(snake)) return [];
      const other = new RegExp(`^(?:${snake.replace(lesser, greater)})$`);
      const found = [...written].find(([each]) => each !== snake && other.test(each));
      return found === undefined ? [] : [[name, found[1]] as const];
    }),
  );
}

/** Whether both are numbers, texts of numbers, or dates, and the first is greater. */
function isGreater(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one > other;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const areNumbers = [one, other].every((text) => /^-?\d+(?:\.\d+)?$/.test(text));
  const areDates = [one, other].every((text) => /^\d{4}-\d\d-\d\d/.test(text));
  return areNumbers ? Number(one) > Number(other) : areDates && one > other;
}

/** The text of a title, which WordPress has in two forms. */
function titleOf(value: Json | undefined): string | undefined {
  const text = isJsonObject(value) ? (value['rendered'] ?? value['raw']) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
