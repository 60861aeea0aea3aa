export type HeaderRefusal = 'length' | 'encoding' | 'host' | 'connection' | 'loop';

/** What a caller is told; the reasons stand where the refusals are made. */
export const HEADER_REFUSALS: Readonly<
  Record<HeaderRefusal, { status: number; code: string; message: string }>
> = {
  length: { status: 400, code: 'gateway_bad_length', message: 'The length of the body is ambiguous.' },
  encoding: {
    status: 501,
    code: 'gateway_bad_encoding',
    message: 'Only chunked is taken as Transfer-Encoding.',
  },
  host: { status: 400, code: 'gateway_bad_host', message: 'The Host header is not one host.' },
  connection: {
    status: 400,
    code: 'gateway_bad_connection',
    message: 'Connection names a field of the message.',
  },
  loop: { status: 508, code: 'gateway_loop', message: 'The request came through this gateway too often.' },
};
