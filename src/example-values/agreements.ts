import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toSlug, toSnakeCase } from './example-text.ts';
import plausibleValues from './plausible-values.json' with { type: 'json' };

/** What decides on the members of an object. */
export interface MemberRules {
  /** Whether a member may have another value. */
  readonly isFree: (name: string) => boolean;
  readonly isNullable: (name: string) => boolean;
  /** The values that a member may have; empty for any. */
  readonly allowed: (name: string) => readonly Json[];
}

/** Of two members, the one whose name matches has the lesser value. The name of the other is a pattern with its groups. */
const ORDERED = plausibleValues.agreements.map(({ greater, lesser }) => ({
  lesser: new RegExp(lesser),
  greater,
}));

const { empties: EMPTIES, states: SAME_STATES, sums: SUMS } = plausibleValues;

/** Largest object whose members are compared with one another. */
const MAX_MEMBERS = 200;

type Members = Map<string, Json>;
type SetMember = (name: string, value: Json) => void;

/**
 * Lets members agree: the start comes before the end, a part is no greater than the whole, a count is that of the list beside it, what
 * has not happened has no date, and a slug is that of the name.
 */
export function agreeMembers(object: JsonObject, rules: MemberRules): JsonObject {
  const names = Object.keys(object);
  if (names.length < 2 || names.length > MAX_MEMBERS) return object;
  const members: Members = new Map(Object.entries(object));
  const derived = new Set<string>();
  const set: SetMember = (name, value) => {
    if (!members.has(name) || !rules.isFree(name)) return;
    members.set(name, value);
    derived.add(name);
  };
  countLists(members, set);
  for (const { whole, parts } of SUMS) {
    const sum = parts.reduce<number>((all, name) => all + toInteger(members.get(name)), 0);
    if (typeof members.get(whole) === 'number' && Number.isFinite(sum)) set(whole, sum);
  }
  for (const [lesser, greater] of findOrdered(names)) {
    const [one, other] = [members.get(lesser), members.get(greater)];
    if (one === undefined || other === undefined || !isGreater(one, other)) continue;
    const isFixed = derived.has(greater) || !rules.isFree(greater);
    if (!rules.isFree(lesser)) set(greater, one);
    else members.set(lesser, other);
    if (!isFixed && rules.isFree(lesser)) members.set(greater, one);
  }
  for (const { flag, is, members: lists } of EMPTIES) {
    for (const name of members.get(flag) === is ? lists : []) {
      if (Array.isArray(members.get(name))) set(name, []);
      else if (rules.isNullable(name)) set(name, null);
    }
  }
  breakDown(members);
  agreeStates(members, rules, set);
  agreeNames(members, set);
  agreeFile(members, set);
  return Object.fromEntries(members);
}

/** A whole number; NaN for another value. */
function toInteger(value: Json | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : Number.NaN;
}

/** `task_count`, `open_tasks` and `total` count a list that is beside them. */
function countLists(members: Members, set: SetMember): void {
  const lists = [...members].flatMap(([name, list]) => (Array.isArray(list) ? [[name, list] as const] : []));
  const things = lists.filter(([name, list]) => list.every(isJsonObject) && !isBreakdown(name));
  for (const [name, list] of lists) {
    const quantity = list.reduce<number>((sum, item) => sum + numberIn(item, 'quantity'), 0);
    const sum = list.length > 0 && Number.isFinite(quantity) ? quantity : list.length;
    const single = name.replace(/ies$/, 'y').replace(/s$/, '');
    for (const count of [
      `${single}_count`,
      `${name}_count`,
      `${name}_total`,
      `total_${name}`,
      `open_${name}`,
    ])
      if (Number.isFinite(toInteger(members.get(count)))) set(count, sum);
  }
  const [[, list] = []] = things;
  if (things.length !== 1 || list === undefined) return;
  for (const name of ['total', 'count', 'total_count', 'total_items']) {
    if (!Number.isFinite(toInteger(members.get(name)))) continue;
    const sum = list.reduce<number>((all, item) => all + numberIn(item, name), 0);
    set(name, Number.isFinite(sum) ? sum : list.length);
  }
}

function numberIn(item: Json, name: string): number {
  return isJsonObject(item) ? toInteger(item[name]) : Number.NaN;
}

/** `by_day` breaks down the numbers beside it. */
function isBreakdown(name: string): boolean {
  return /^by_|^(?:days|intervals)$/.test(name);
}

/** Numbers that count nothing. */
const NO_COUNT =
  /(?:^|_)(?:ids?|position|order|page|status|code|width|height|size|level|depth|parent|year|quantity|rating|limit|price)$/;

/** The tax of a line is that of its only rate. */
function agreeTaxes(taxes: JsonObject, members: Members): JsonObject {
  const total = members.get('total_tax');
  if (total === undefined) return taxes;
  const subtotal = members.get('subtotal_tax') ?? total;
  return { ...taxes, total, ...(Object.hasOwn(taxes, 'subtotal') ? { subtotal } : {}) };
}

/** What one item of a list shows is what all have: numbers of the same name are equal, and none is above the total. */
function breakDown(members: Members): void {
  const total = toInteger(members.get('total'));
  for (const [name, member] of members) {
    if (isJsonObject(member) && isBreakdown(name) && Number.isFinite(total)) {
      members.set(name, distribute(member, total));
    }
    const [item, ...others] = Array.isArray(member) ? member : [];
    if (!isJsonObject(item) || others.length > 0) continue;
    const shown = Object.entries(item).map(([key, value]): [string, Json] => {
      if (!Number.isFinite(toInteger(value)) || NO_COUNT.test(key)) return [key, value];
      const whole = toInteger(members.get(key));
      if (Number.isFinite(whole)) return [key, whole];
      return [key, isBreakdown(name) && Number(value) > total ? total : value];
    });
    const only = Object.fromEntries(shown);
    members.set(name, [name === 'taxes' ? agreeTaxes(only, members) : only]);
  }
}

/** Numbers that make a sum, the greatest first. */
function distribute(counts: JsonObject, total: number): JsonObject {
  let rest = total;
  const entries = Object.entries(counts);
  if (!entries.every(([, count]) => Number.isFinite(toInteger(count)))) return counts;
  return Object.fromEntries(
    entries.map(([name], at) => {
      const share = at === entries.length - 1 ? rest : Math.ceil(rest / 3);
      rest -= share;
      return [name, share];
    }),
  );
}

/** What has not happened has no date, and of the members that a kind tells apart an object has one. */
function agreeStates(members: Members, { allowed, isNullable }: MemberRules, set: SetMember): void {
  for (const [name, value] of members) {
    if (typeof value !== 'string') continue;
    const values = /^(?:status|state|kind)$/.test(name) ? allowed(name) : [];
    for (const [other, member] of values.length === 0 ? [] : members) {
      const happened = /^(?:date_)?([a-z]+ed)(?:_at|_on)?(?:_gmt)?$/.exec(other)?.[1] ?? other;
      const isKnown = values.some((each) => isSameState(each, happened));
      if (isKnown && !isSameState(value, happened) && member !== null && isNullable(other)) set(other, null);
    }
  }
}

export function isSameState(one: Json | undefined, other: Json | undefined): boolean {
  return (
    one === other || SAME_STATES.some((same) => same.includes(String(one)) && same.includes(String(other)))
  );
}

function agreeNames(members: Members, set: SetMember): void {
  const settings = members.get('settings');
  const [setting, title] = [isJsonObject(settings) ? settings['title'] : undefined, members.get('title')];
  if (
    isJsonObject(settings) &&
    isJsonObject(setting) &&
    Object.hasOwn(setting, 'value') &&
    typeof title === 'string'
  )
    set('settings', { ...settings, title: { ...setting, value: title, default: title } });
  const slug = members.get('slug');
  const named = ['name', 'title', 'label']
    .map((name) => titleOf(members.get(name)))
    .find((text) => text !== undefined);
  if (typeof slug !== 'string' || !slug.includes('-') || named === undefined) return;
  const own = toSlug(named);
  set('slug', own);
  if (members.get('slug') !== own) return;
  set('generated_slug', own);
  for (const name of ['link', 'permalink'])
    if (typeof members.get(name) === 'string') set(name, `https://example.com/${own}/`);
  if (typeof members.get('preview_link') === 'string')
    set('preview_link', `https://example.com/${own}/?preview=true`);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/** The name and the URL of a file end as its media type says. */
function agreeFile(members: Members, set: SetMember): void {
  const extension = EXTENSIONS[String(members.get('mime_type') ?? members.get('type'))];
  if (extension === undefined) return;
  const name = members.get('name');
  const url = ['url', 'source_url', 'link_url'].find((each) => typeof members.get(each) === 'string');
  const hasFileName = typeof name === 'string' && members.has('size');
  const path = hasFileName ? name : String(members.get(url ?? '') ?? '').replace(/^.*\//, '');
  const file = `${toSlug(path.replace(/\.\w+$/, '')) || 'photo'}.${extension}`;
  if (hasFileName) set('name', file);
  if (url !== undefined) set(url, `https://example.com/uploads/${file}`);
}

/** The pairs of members of which the first has the lesser value. */
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
