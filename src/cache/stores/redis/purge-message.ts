import { decodePurge, encodePurge, type PurgeOperation } from './codec.ts';
import type { PurgePosition } from './purge-position-history.ts';

/** A purge as one gateway instance publishes it to the others. */
export interface PurgeMessage {
  readonly position: PurgePosition;
  /** The gateway instance that purged. */
  readonly instanceId: string;
  /** Undefined when its format is unknown, for instance because a newer version of the gateway published it. */
  readonly purge: PurgeOperation | undefined;
}

/** Encodes `instanceId` and the purge. The script that publishes the message prepends `epoch seq`. */
export function encodePurgeMessage(instanceId: string, purge: PurgeOperation): Uint8Array {
  return Buffer.concat([Buffer.from(`${instanceId} `), encodePurge(purge)]);
}

/** Parses `epoch seq instanceId` and the encoded purge; undefined for anything else. */
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
