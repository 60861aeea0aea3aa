import { decodePurge, encodePurge, type Purge } from './codec.ts';
import type { PurgePosition } from './position-history.ts';

/** The names by which purges strike answers. */
export const keyMark = (key: string): string => `k${key}`;
export const tagMark = (tag: string): string => `t${tag}`;

export function marksOf({ selection }: Purge): readonly string[] {
  if (selection.kind === 'all') return [''];
  return selection.kind === 'tags' ? selection.tags.map(tagMark) : selection.keys.map(keyMark);
}

/** A purge as one instance tells it to the others. */
export interface PurgeMessage {
  readonly position: PurgePosition;
  /** The instance that purged. */
  readonly instanceId: string;
  /** Undefined where it is of a form that is not known here. */
  readonly purge: Purge | undefined;
}

/** What an instance hands to the script, which writes its epoch and number before it. */
export function encodePurgeMessage(origin: string, purge: Purge): Uint8Array {
  return Buffer.concat([Buffer.from(`${origin} `), encodePurge(purge)]);
}

/** `epoch number origin` and the frame. */
export function parsePurgeMessage(message: Uint8Array): PurgeMessage | undefined {
  const head = /^(\d+) (\d+) ([\w-]+) /.exec(new TextDecoder('latin1').decode(message.subarray(0, 100)));
  if (head === null) return undefined;
  const [whole, epoch = '', seq = '', instanceId = ''] = head;
  return {
    position: { epoch, seq: Number(seq) },
    instanceId,
    purge: decodePurge(message.subarray(whole.length)),
  };
}
