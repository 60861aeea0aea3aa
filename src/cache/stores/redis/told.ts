import { decodePurge, encodePurge, type Purge } from './frame.ts';
import type { Position } from './sequence.ts';

/** The names by which purges strike answers. */
export const keyMark = (key: string): string => `k${key}`;
export const tagMark = (tag: string): string => `t${tag}`;

export function marksOf({ selection }: Purge): readonly string[] {
  if (selection.kind === 'all') return [''];
  return selection.kind === 'tags' ? selection.tags.map(tagMark) : selection.keys.map(keyMark);
}

/** A purge as one instance tells it to the others. */
export interface Told {
  readonly position: Position;
  /** The instance that purged. */
  readonly origin: string;
  /** Undefined where it is of a form that is not known here. */
  readonly purge: Purge | undefined;
}

/** What an instance hands to the script, which writes its epoch and number before it. */
export function writeTold(origin: string, purge: Purge): Uint8Array {
  return Buffer.concat([Buffer.from(`${origin} `), encodePurge(purge)]);
}

/** `epoch number origin` and the frame. */
export function readTold(message: Uint8Array): Told | undefined {
  const head = /^(\d+) (\d+) ([\w-]+) /.exec(new TextDecoder('latin1').decode(message.subarray(0, 100)));
  if (head === null) return undefined;
  const [whole, epoch = '', seq = '', origin = ''] = head;
  return {
    position: { epoch, seq: Number(seq) },
    origin,
    purge: decodePurge(message.subarray(whole.length)),
  };
}
