import { pluralize } from 'inflection';
import { referenceOf } from '../openapi/document-references.ts';
import type { MockOperation } from './operations.ts';

/** Finds the list that a property refers to, by the conventions of names. */
export interface Relations {
  /** `author` → the list of users, `categories` → of categories, `board_id` → of boards. */
  targetOf(property: string): MockOperation | undefined;
}

/** Names of properties that refer to a list of another name. */
const ALIASES: Readonly<Record<string, string>> = {
  author: 'users',
  assignee: 'users',
  creator: 'users',
  created_by: 'users',
  owner: 'users',
  member: 'users',
  customer: 'customers',
  featured_media: 'media',
  featuredmedia: 'media',
  attachment: 'media',
  media: 'media',
};

/** @param lists the lists without path parameters, by which the targets of references are found */
export function createRelations(lists: readonly MockOperation[]): Relations {
  const byName = new Map<string, MockOperation>();
  for (const list of lists) {
    for (const name of namesOf(list)) if (!byName.has(name)) byName.set(name, list);
  }
  return {
    targetOf(property) {
      const name = property
        .replace(/^.*:/, '')
        .replace(/_ids?$/, '')
        .toLowerCase();
      const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
      return byName.get(alias ?? name) ?? byName.get(pluralize(alias ?? name));
    },
  };
}

/** The last word of the path, and the plural of the last word of the component: `/v2/projects` of `BoardsV2Board`. */
function namesOf({ served, schema }: MockOperation): readonly string[] {
  const segment = served.path.slice(served.path.lastIndexOf('/') + 1).toLowerCase();
  const word = /[A-Z][a-z]+$/.exec(referenceOf(schema) ?? '')?.[0].toLowerCase();
  return word === undefined ? [segment] : [segment, pluralize(word)];
}
