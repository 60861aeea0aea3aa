import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';

/** Frame types (RFC 9113 §6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const END_STREAM = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Encodes a frame (RFC 9113 §4.1). */
export function encodeFrame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes fields as literals without indexing (RFC 7541 §6.2.2). */
export function encodeFields(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value, 'latin1');
    return Buffer.concat([encodeLength(bytes.length), bytes]);
  };
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** RFC 7541 §5.1, with a prefix of seven bits. */
function encodeLength(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A connection that sends any frames. */
export interface FrameClient {
  send(...frames: readonly Buffer[]): void;
  /** Frames so far. */
  readonly received: readonly Frame[];
  readonly isClosed: () => boolean;
  /** Stops reading, so that the buffers of the connection fill. */
  pause(): void;
  /** Ends TLS and the connection, as a client whose time is over does. */
  end(): void;
  /** Resets the connection of TCP. */
  reset(): void;
  /** Closes the connection. The system resets it if something is unread. */
  close(): void;
}

/** Frames that open the windows of a connection and of its streams as far as they go (RFC 9113 §6.9). */
export const LARGEST_WINDOWS: readonly Buffer[] = [
  encodeFrame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  encodeFrame(FRAME.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
];

/** Connects with HTTP/2, and sends the preface and empty settings. It answers no frames. */
export function connectFrames(origin: string): FrameClient {
  const { hostname, port } = new URL(origin);
  const tcp = connectTcp(Number(port), hostname).on('error', () => {});
  const socket = connect({
    socket: tcp,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  const received: Frame[] = [];
  let isClosed = false;
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 9 && buffer.length >= 9 + buffer.readUIntBE(0, 3)) {
      const length = buffer.readUIntBE(0, 3);
      received.push({
        type: buffer.readUInt8(3),
        flags: buffer.readUInt8(4),
        stream: buffer.readUInt32BE(5),
        payload: buffer.subarray(9, 9 + length),
      });
      buffer = buffer.subarray(9 + length);
    }
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(encodeFrame(FRAME.settings, 0, 0));
  return {
    received,
    isClosed: () => isClosed,
    send: (...frames) => void (isClosed || socket.write(Buffer.concat(frames))),
    pause: () => void socket.pause(),
    end: () => void socket.end(() => socket.destroy()),
    close: () => socket.destroy(),
    reset: () => void tcp.resetAndDestroy(),
  };
}
