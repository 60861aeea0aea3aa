import REMOVED from './removed.json' with { type: 'json' };

/** Says what to use in place of a command, an option or a setting of an earlier version; `undefined` if there was none of this name. */
export function findReplacement(kind: keyof typeof REMOVED, name: string): string | undefined {
  return Object.entries(REMOVED[kind]).find(([names]) => names.split(', ').includes(name))?.[1];
}
