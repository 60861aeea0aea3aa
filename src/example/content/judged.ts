import type { Json } from '../../json.ts';
import type { EndpointDeclaration } from '../site/declare.ts';
import type { Kind } from './entries.ts';
import { mayWrite } from './rules/rights.ts';
import { slugOf } from './rules/slug.ts';
import { LISTABLE, MEDIA_STATUSES, WRITABLE } from './rules/statuses.ts';
import type { ContentState } from './state.ts';

type Endpoint = EndpointDeclaration<ContentState>;

/** The theme's templates by kind, beside the usual one. */
const TEMPLATES: Readonly<Record<Kind, readonly string[]>> = {
  post: ['wide'],
  page: ['wide', 'landing', 'no-title'],
  attachment: [],
};

const same = (value: Json): Json => value;

/** What WordPress judges by rules of its own when an entry is written, and not by the schema. */
export function writeRules(kind: Kind): Required<Pick<Endpoint, 'validate' | 'sanitize'>> {
  return {
    validate: {
      slug: (value) => (typeof value === 'string' ? undefined : 'slug is not of type string.'),
      status(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.status;
        const known: readonly unknown[] = [...WRITABLE, current];
        return known.includes(value)
          ? undefined
          : `status is not one of ${WRITABLE.slice(0, -1).join(', ')}, and ${WRITABLE.at(-1)}.`;
      },
      template(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.template;
        const known: readonly unknown[] = ['', current, ...TEMPLATES[kind]];
        return known.includes(value) ? undefined : `template is not one of ${TEMPLATES[kind].join(', ')}.`;
      },
    },
    // Texts are taken plain or as an object; what is neither is passed over.
    sanitize: {
      title: same,
      content: same,
      excerpt: same,
      caption: same,
      description: same,
      slug: (value) => (typeof value === 'string' ? slugOf(value) : ''),
    },
  };
}

/** Who may see which statuses is judged with the value, as at WordPress. */
export function listRules(kind: Kind): Required<Pick<Endpoint, 'validate' | 'sanitize'>> {
  const [usual, known] =
    kind === 'attachment' ? (['inherit', MEDIA_STATUSES] as const) : (['publish', LISTABLE] as const);
  return {
    validate: {
      status(value, { user }) {
        const wanted = words(value).filter((status) => status !== usual);
        if (wanted.length > 0 && !mayWrite(user)) return 'Status is forbidden.';
        const strange = wanted.find((status) => !known.some((one) => one === status));
        return strange === undefined ? undefined : `status[0] is not one of ${known.join(', ')}.`;
      },
    },
    sanitize: {
      status(value) {
        const wanted = words(value);
        return wanted.length === 0 ? [usual] : wanted;
      },
    },
  };
}

/** A list, or text split at commas and spaces. */
function words(value: Json): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((word) => word !== '');
}
