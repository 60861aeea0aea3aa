import { type Draft, originOf, type Rule, show } from '../draft.ts';
import { judge } from '../judge.ts';

/** Defaults that PHP wrote as something else. */
export const defaultRules: readonly Rule[] = [
  {
    name: 'default-null',
    sentence: 'A default of null is no default, at the site as here.',
    severity: 'info',
    on: ['default'],
    apply(draft, found) {
      if (draft.keywords.get('default') !== null) return;
      draft.keywords.delete('default');
      found(originOf(draft, 'default'), 'The default is null.', 'Dropped.');
    },
  },
  {
    name: 'default-list-for-object',
    sentence: 'A default of `[]` for an object becomes `{}`.',
    severity: 'info',
    on: ['default', 'x-waygate-default'],
    apply(draft, found) {
      for (const keyword of ['default', 'x-waygate-default']) {
        const value = draft.keywords.get(keyword);
        if (!Array.isArray(value) || value.length > 0 || !isObjectAlone(draft)) continue;
        draft.keywords.set(keyword, {});
        found(originOf(draft, keyword), 'The default of an object is [].', 'Read as {}.');
      }
    },
  },
];

/** Runs when everything below has been normalised. */
export const closingRules: readonly Rule[] = [
  {
    name: 'default-refused',
    sentence: 'A default that its own schema refuses, or may refuse, is kept as `x-waygate-default`.',
    severity: 'warning',
    on: ['default'],
    apply(draft, found) {
      const value = draft.keywords.get('default');
      if (value === undefined) return;
      const verdict = judge(Object.fromEntries(draft.keywords), value);
      if (verdict === 'valid') return;
      draft.keywords.delete('default');
      draft.keywords.set('x-waygate-default', value);
      const message =
        verdict === 'invalid' ? 'is refused by its own schema' : 'may be refused by its own schema';
      found(
        originOf(draft, 'default'),
        `The default ${show(value)} ${message}.`,
        'Kept as "x-waygate-default".',
      );
    },
  },
];

function isObjectAlone(draft: Draft): boolean {
  const type = draft.keywords.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'));
}
