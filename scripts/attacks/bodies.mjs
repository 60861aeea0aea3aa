// @ts-check

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';

/** Repeats a text to a size. @param {number} size @param {string} text @param {[before: string, after: string]} [around] */
function fill(size, text, [before, after] = ['', '']) {
  const length = Math.floor((size - before.length - after.length) / Buffer.byteLength(text));
  return before + text.repeat(Math.max(0, length)) + after;
}

/** As many values as are parsed, with distinct names. @param {number} size @param {(name: string) => string} write */
const nameAll = (size, write) =>
  Array.from({ length: 19_990 }, (_, at) => write(`${'a'.repeat(size / 19_990 - 20)}${at}`)).join(',');

/**
 * Bodies of shapes that cost a reader much.
 *
 * @param {number} size in bytes
 * @returns {readonly { shape: string, sent: { method: string, path: string, headers: Record<string, string>, body: string } }[]}
 */
export function listBodies(size) {
  const comments = '/wp-json/wp/v2/comments';
  /** What is parsed, and no byte more. */
  const half = 4 * 1024 * 1024 - 100;
  /** @type {readonly (readonly [shape: string, type: string, body: string, path?: string])[]} */
  const rows = [
    ['one string', JSON_TYPE, fill(size, 'nonce', ['{"content":"', '"}'])],
    ['one string, 4 MiB of é', JSON_TYPE, fill(half, 'é', ['{"content":"', '"}'])],
    ['escaped quotes', JSON_TYPE, fill(half, '\\"', ['{"content":"', '"}'])],
    ['surrogates', JSON_TYPE, fill(half, '\\ud83d\\ude00', ['{"content":"', '"}'])],
    ['objects', JSON_TYPE, fill(size, '{},', ['[', '1]'])],
    ['objects, 4 MiB with a string', JSON_TYPE, fill(half, '{},', ['[', '1]'])],
    ['nested lists', JSON_TYPE, '['.repeat(size)],
    ['names, 4 MiB', JSON_TYPE, `{${nameAll(half, (name) => `"${name}":1`)}}`],
    ['objects with names, 4 MiB', JSON_TYPE, `[${nameAll(half, (name) => `{"${name}":1}`)}]`],
    ['names of a form', FORM, Array.from({ length: 700_000 }, (_, at) => `a${at}=1`).join('&')],
    ['pairs', FORM, fill(size, 'a=1&')],
    ['empty pairs', FORM, fill(size, '&')],
    ['spaces', FORM, fill(size, '+')],
    ['one escaped value', FORM, fill(half, '%C3%A9', ['content=', ''])],
    ['nested names', FORM, fill(half, `a${'[b]'.repeat(64)}=${'1'.repeat(3_900)}&`)],
    ['a form for a page', FORM, fill(size, 'r=1&'), '/'],
    ['a form for admin-ajax.php', FORM, fill(size, 'a=1&'), '/wp-admin/admin-ajax.php'],
    ['parts', MULTIPART, fill(size, '--b\n\n')],
    ['a long part header', MULTIPART, fill(size, '\n ', ['--b\nname=', ''])],
    ['a file', MULTIPART, fill(size, '\r\n--', ['--b\r\n\r\n', '']), '/'],
    ['a batch', JSON_TYPE, fill(size, '{},', ['{"requests":[', '{}]}']), '/wp-json/batch/v1'],
    ['GraphQL', JSON_TYPE, fill(size, '{a', ['{"query":"', '"}']), '/graphql'],
  ];
  return rows.map(([shape, type, body, path = comments]) => ({
    shape,
    sent: { method: 'POST', path, headers: { 'content-type': type }, body },
  }));
}
