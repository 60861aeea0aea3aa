import type { Json } from '../../json.ts';
import { createWrongTypeViolation } from '../../validation/wordpress/violation.ts';
import type { EntryKind } from './model/entries.ts';
import type { ContentEndpoint } from './model/state.ts';
import { canEdit } from './rules/capabilities.ts';
import { sanitizeTitle } from './rules/slug.ts';
import { LISTABLE_STATUSES, MEDIA_STATUSES, WRITABLE_STATUSES } from './rules/statuses.ts';

/** The templates of the theme in addition to the default one, by kind. */
const THEME_TEMPLATES: Readonly<Record<EntryKind, readonly string[]>> = {
  post: ['wide'],
  page: ['wide', 'landing', 'no-title'],
  attachment: [],
};

const identity = (value: Json): Json => value;

/** Creates the callbacks that WordPress uses for some arguments of write endpoints instead of their schemas. */
export function createWriteCallbacks(
  kind: EntryKind,
): Required<Pick<ContentEndpoint, 'validate' | 'sanitize'>> {
  return {
    validate: {
      slug: (value) => (typeof value === 'string' ? undefined : createWrongTypeViolation('slug', 'string')),
      status(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.status;
        const allowed: readonly unknown[] = [...WRITABLE_STATUSES, current];
        return allowed.includes(value)
          ? undefined
          : `status is not one of ${WRITABLE_STATUSES.slice(0, -1).join(', ')}, and ${WRITABLE_STATUSES.at(-1)}.`;
      },
      template(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.template;
        const allowed: readonly unknown[] = ['', current, ...THEME_TEMPLATES[kind]];
        return allowed.includes(value)
          ? undefined
          : `template is not one of ${THEME_TEMPLATES[kind].join(', ')}.`;
      },
    },
    // A text is a string or an object. The handler ignores other values.
    sanitize: {
      title: identity,
      content: identity,
      excerpt: identity,
      caption: identity,
      description: identity,
      slug: (value) => (typeof value === 'string' ? sanitizeTitle(value) : ''),
    },
  };
}

/** Creates the argument callbacks of list endpoints. As in WordPress, the callback of `status` also checks the permission. */
export function createListCallbacks(
  kind: EntryKind,
): Required<Pick<ContentEndpoint, 'validate' | 'sanitize'>> {
  const [defaultStatus, allowed] =
    kind === 'attachment'
      ? (['inherit', MEDIA_STATUSES] as const)
      : (['publish', LISTABLE_STATUSES] as const);
  return {
    validate: {
      status(value, { user }) {
        const requested = splitWords(value).filter((status) => status !== defaultStatus);
        if (requested.length > 0 && !canEdit(user)) return 'Status is forbidden.';
        const unknownStatus = requested.find((status) => !allowed.some((one) => one === status));
        return unknownStatus === undefined ? undefined : `status[0] is not one of ${allowed.join(', ')}.`;
      },
    },
    sanitize: {
      status(value) {
        const requested = splitWords(value);
        return requested.length === 0 ? [defaultStatus] : requested;
      },
    },
  };
}

/** Splits text, or each text of a list, at commas and spaces. */
function splitWords(value: Json): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((word) => word !== '');
}
