import { isJsonObject, type Json } from '../json.ts';
import type { JsonLocation } from './document-references.ts';

/** Result of an update that does not fit its target: the Overlay Specification has no rule for it. */
export const INCOMPATIBLE_UPDATE: unique symbol = Symbol('incompatible');
export type IncompatibleUpdate = typeof INCOMPATIBLE_UPDATE;

/** The value at a location; `undefined` if there is none. */
export function getValueAt(root: Json, location: JsonLocation): Json | undefined {
  let at: Json | undefined = root;
  for (const token of location) {
    if (Array.isArray(at)) at = typeof token === 'number' ? at[token] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, String(token)) ? at[String(token)] : undefined;
  }
  return at;
}

/** Returns a copy with one location changed. The original stays unchanged, because documents share parts. */
export function updateValueAt(
  root: Json,
  [token, ...below]: JsonLocation,
  change: (value: Json) => Json | IncompatibleUpdate,
): Json | IncompatibleUpdate {
  if (token === undefined) return change(root);
  if (Array.isArray(root)) {
    const list: readonly Json[] = root;
    const next = updateValueAt(list[Number(token)] ?? null, below, change);
    return next === INCOMPATIBLE_UPDATE ? next : list.with(Number(token), next);
  }
  if (!isJsonObject(root)) return INCOMPATIBLE_UPDATE;
  const name = String(token);
  const next = updateValueAt(root[name] ?? null, below, change);
  if (next === INCOMPATIBLE_UPDATE) return next;
  return Object.fromEntries(
    Object.entries(root).map(([memberName, value]) => [memberName, memberName === name ? next : value]),
  );
}

/** Returns a copy without one member or item. */
export function removeValueAt(root: Json, location: JsonLocation): Json {
  const last = location.at(-1);
  const next = updateValueAt(root, location.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_: Json, index) => index !== last);
    return Object.fromEntries(Object.entries(parent ?? {}).filter(([name]) => name !== last));
  });
  return next === INCOMPATIBLE_UPDATE ? root : next;
}

/** Applies an update to the selected value. A list accepts a list or a single item. */
export function mergeUpdate(target: Json, update: Json): Json | IncompatibleUpdate {
  if (Array.isArray(target)) return Array.isArray(update) ? [...target, ...update] : [...target, update];
  return merge(target, update);
}

/** Overlay Specification 1.1, Action Object: values replace values, lists are concatenated, objects are merged. */
function merge(target: Json, update: Json): Json | IncompatibleUpdate {
  if (Array.isArray(target)) return Array.isArray(update) ? [...target, ...update] : INCOMPATIBLE_UPDATE;
  if (!isJsonObject(target))
    return typeof update === 'object' && update !== null ? INCOMPATIBLE_UPDATE : update;
  if (!isJsonObject(update)) return INCOMPATIBLE_UPDATE;
  const members = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(update)) {
    const current = members.get(name);
    const next = current === undefined ? value : merge(current, value);
    if (next === INCOMPATIBLE_UPDATE) return INCOMPATIBLE_UPDATE;
    members.set(name, next);
  }
  return Object.fromEntries(members);
}
