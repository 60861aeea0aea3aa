import type { Entry, Revision } from '../entries.ts';
import type { ContentState } from '../state.ts';

type Text = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

const TEXT = ['title', 'content', 'excerpt', 'footnotes'] as const;

/** Keeps what an entry has become, unless the latest revision says the same. */
export function keepRevision(state: ContentState, entry: Entry, author: number, time: number): void {
  const latest = revisionsOf(state, entry.id).find(({ autosave }) => !autosave);
  if (latest !== undefined && saysTheSame(latest, entry)) return;
  put(state, entry, { author, time, autosave: false });
}

/** Sets a user's unsaved text aside, in the one autosave that each user has of an entry; null where nothing differs. */
export function keepAutosave(
  state: ContentState,
  entry: Entry,
  text: Text,
  author: number,
  time: number,
): Revision | null {
  const old = revisionsOf(state, entry.id).find((kept) => kept.autosave && kept.author === author);
  if (old !== undefined) state.revisions.delete(old.id);
  if (old !== undefined && saysTheSame(text, entry)) return null;
  return put(state, { ...entry, ...text }, { author, time, autosave: true }, old?.id);
}

/** Newest first. */
export function revisionsOf(state: ContentState, parent: number): readonly Revision[] {
  return [...state.revisions.values()]
    .filter((revision) => revision.parent === parent)
    .sort((a, b) => b.date - a.date || b.id - a.id);
}

function put(
  state: ContentState,
  { id: parent, title, content, excerpt, footnotes }: Entry,
  { author, time, autosave }: { readonly author: number; readonly time: number; readonly autosave: boolean },
  id: number = state.nextId(),
): Revision {
  const revision = { id, parent, author, date: time, title, content, excerpt, footnotes, autosave };
  state.revisions.set(id, revision);
  return revision;
}

function saysTheSame(a: Text, b: Text): boolean {
  return TEXT.every((field) => a[field].trim() === b[field].trim());
}
