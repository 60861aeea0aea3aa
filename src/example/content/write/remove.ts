import type { Entry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { truncateToSecond } from '../rules/dates.ts';
import { saveRevision } from './revisions.ts';
import type { WriteScope } from './save.ts';

/** Moves an entry to the trash. Its slug becomes free. */
export function trashEntry(entry: Entry, { state, now, user }: WriteScope): Entry {
  const time = truncateToSecond(now.getTime());
  const trashed: Entry = {
    ...entry,
    status: 'trash',
    slug: `${entry.slug}__trashed`,
    modified: time,
    beforeTrash: { status: entry.status, slug: entry.slug },
  };
  state.entries.set(entry.id, trashed);
  saveRevision(state, trashed, user?.id ?? entry.author, time);
  return trashed;
}

/** Deletes an entry with its revisions and files. Its children move to its parent. */
export function deleteEntry(entry: Entry, state: ContentState): void {
  state.entries.delete(entry.id);
  for (const { id, parent } of state.revisions.values()) {
    if (parent === entry.id) state.revisions.delete(id);
  }
  for (const other of state.entries.values()) {
    const parent = other.parent === entry.id ? entry.parent : other.parent;
    const featuredMedia = other.featuredMedia === entry.id ? 0 : other.featuredMedia;
    if (parent !== other.parent || featuredMedia !== other.featuredMedia) {
      state.entries.set(other.id, { ...other, parent, featuredMedia });
    }
  }
  for (const file of listFiles(entry)) state.files.delete(file);
}

function listFiles({ media }: Entry): readonly string[] {
  if (media === undefined) return [];
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  return [media.file, ...Object.values(media.sizes).map(({ file }) => folder + file)];
}
