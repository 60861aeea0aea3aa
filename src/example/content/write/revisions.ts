import type { Entry, Revision } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

type RevisionText = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

const TEXT_FIELD_NAMES = ['title', 'content', 'excerpt', 'footnotes'] as const;

/** Saves a revision of an entry unless the latest one has the same text. */
export function saveRevision(state: ContentState, entry: Entry, author: number, time: number): void {
  const latest = findRevisions(state, entry.id).find(({ isAutosave }) => !isAutosave);
  if (latest !== undefined && hasSameText(latest, entry)) return;
  putRevision(state, entry, { author, time, isAutosave: false });
}

/** Saves the autosave of a user. An earlier one is replaced, or only deleted (`null`) if the text equals the entry's. */
export function saveAutosave(
  state: ContentState,
  entry: Entry,
  text: RevisionText,
  author: number,
  time: number,
): Revision | null {
  const previous = findRevisions(state, entry.id).find((kept) => kept.isAutosave && kept.author === author);
  if (previous !== undefined) state.revisions.delete(previous.id);
  if (previous !== undefined && hasSameText(text, entry)) return null;
  return putRevision(state, { ...entry, ...text }, { author, time, isAutosave: true }, previous?.id);
}

/** The revisions and autosaves of an entry, newest first. */
export function findRevisions(state: ContentState, parent: number): readonly Revision[] {
  return [...state.revisions.values()]
    .filter((revision) => revision.parent === parent)
    .sort((a, b) => b.date - a.date || b.id - a.id);
}

function putRevision(
  state: ContentState,
  { id: parent, title, content, excerpt, footnotes }: Entry,
  {
    author,
    time,
    isAutosave,
  }: { readonly author: number; readonly time: number; readonly isAutosave: boolean },
  id: number = state.nextId(),
): Revision {
  const revision = { id, parent, author, date: time, title, content, excerpt, footnotes, isAutosave };
  state.revisions.set(id, revision);
  return revision;
}

function hasSameText(a: RevisionText, b: RevisionText): boolean {
  return TEXT_FIELD_NAMES.every((field) => a[field].trim() === b[field].trim());
}
