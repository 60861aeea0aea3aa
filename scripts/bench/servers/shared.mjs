/**
 * Reads the command line option `--name value` of this process.
 *
 * @param {string} name
 * @param {string} [fallback]
 */
export function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? fallback : process.argv[at + 1];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

/** Header fields of a cache hit of the gateway in front of the stub site, apart from `Content-Length`, `Date` and those of the connection. */
export const HIT_FIELDS = [
  ['Server', 'stub'],
  ['Content-Type', 'application/json; charset=UTF-8'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Allow', 'GET, POST'],
  ['Cache-Control', 'max-age=3600'],
  ['Vary', 'Origin, Accept-Encoding'],
  ['Age', '1'],
  ['Cache-Status', 'waygate; hit; ttl=3598'],
  ['X-Request-Id', 'a1b2c3-4'],
];

/** Creates a JSON list of `--bytes` bytes, 10 KB by default. */
export function createResponseBody() {
  const wanted = Number(option('bytes', '10240'));
  const items = [];
  let size = 2;
  for (let id = 1; size < wanted; id++) {
    const item = {
      id,
      slug: `item-${id}`,
      title: { rendered: `Item ${id}` },
      status: 'publish',
      sticky: false,
    };
    size += JSON.stringify(item).length + 1;
    items.push(item);
  }
  return Buffer.from(JSON.stringify(items).padEnd(wanted, ' ').slice(0, Math.max(wanted, size)));
}

/**
 * Listens on `--port` of the loopback interface. The process exits on SIGTERM.
 *
 * @param {import('node:net').Server} server
 */
export function listen(server) {
  server.listen(Number(option('port')), '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}
