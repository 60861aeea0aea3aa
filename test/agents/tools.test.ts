import { expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { ADMIN, connectAgent, runAgentShop, type SiteResponder, tagOf } from './agent.ts';

/** A site whose responses show what it was asked: in `link`, and in `sent` of a write. */
const respond: SiteResponder = ({ body, headers, method, path }) => {
  const [, id = '7'] = /\/(\d+)(?:\?|$)/.exec(path) ?? [];
  const item = {
    ...{ id: Number(id), status: 'draft', title: { raw: 'A' }, content: { raw: `one <b>two</b> ${id}` } },
    ...{ link: path, excerpt: { raw: headers['cache-control'] ?? 'stored' } },
  };
  return { body: method === 'GET' ? item : { ...item, sent: { method, path, body } } };
};

/** A gateway that allows all, its client, the hash of post 7, and the arguments of each tool. */
const start = startOnce(async () => {
  const { url } = await runAgentShop(respond, { writes: ['publish', 'delete'], unasked: true });
  const { call, client } = await connectAgent(url, ADMIN);
  const { tools } = await client.listTools();
  return { call, tag: tagOf(await call('read_operation', { ...POST, ...EDIT })) ?? '', tools };
});

const POST = { id: 'getPost', path: { id: 7 } };
const EDIT = { query: { context: 'edit' } };
const UPDATE = { id: 'updatePost', path: { id: 7 }, fields: ['sent'] };
const CREATE = { id: 'createPost', body: { title: 'B' }, fields: ['sent'] };
const DELETE = { id: 'deletePost', path: { id: 7 } };
const TRASH = { id: 'updatePost', path: { id: 7 }, body: { status: 'trash' } };
const edit = (text: string): object => ({ member: 'title', old: 'A', new: text });

type Arguments = Readonly<Record<string, unknown>>;

/** For each argument of each tool, a call and another value of the argument, with which the result differs. */
const EXAMPLES: Readonly<Record<string, (tag: string) => readonly [args: Arguments, other: unknown]>> = {
  'search_operations.query': () => [{ query: 'list posts' }, 'list orders'],
  'describe_operation.id': () => [{ id: 'getPost' }, 'getPage'],
  'read_operation.id': () => [POST, 'getPage'],
  'read_operation.path': () => [POST, { id: 8 }],
  'read_operation.query': () => [{ ...POST, fields: ['link'] }, EDIT.query],
  'read_operation.fields': () => [POST, ['id']],
  'read_operation.from': () => [{ ...POST, fields: ['content.raw'] }, 4],
  'read_operation.raw': () => [{ ...POST, fields: ['content.raw'] }, true],
  'read_operation.fresh': () => [{ ...POST, fields: ['excerpt'] }, true],
  'write_operation.id': () => [CREATE, 'createPage'],
  'write_operation.path': (if_match) => [{ ...UPDATE, body: { title: 'B' }, if_match }, { id: 8 }],
  'write_operation.query': () => [CREATE, { template: 'x' }],
  'write_operation.body': () => [CREATE, { title: 'C' }],
  'write_operation.edit_text': () => [{ ...UPDATE, edit_text: edit('B') }, edit('C')],
  'write_operation.fields': () => [CREATE, ['link']],
  'write_operation.restore': () => [{ ...UPDATE, restore: 3 }, 4],
  'write_operation.if_match': (if_match) => [{ ...UPDATE, body: { title: 'B' }, if_match }, 'another'],
  'write_operation.calls': () => [{ ...CREATE, calls: [{}] }, [{}, {}]],
  'delete_operation.id': (if_match) => [{ ...DELETE, if_match }, 'deletePage'],
  'delete_operation.path': (if_match) => [{ ...DELETE, if_match }, { id: 8 }],
  'delete_operation.query': (if_match) => [{ ...DELETE, if_match }, { unknown: 'x' }],
  'delete_operation.body': (if_match) => [{ ...TRASH, if_match }, { status: 'publish' }],
  'delete_operation.if_match': (if_match) => [{ ...DELETE, if_match }, 'another'],
  'delete_operation.calls': (if_match) => [{ ...DELETE, calls: [{ if_match }] }, [{ if_match: 'another' }]],
};

test('each argument of each tool makes a difference', async () => {
  const { call, tag, tools } = await start();
  expect(tools.map(({ name }) => name)).toContain('delete_operation');
  const declared = tools.flatMap(({ inputSchema, name }) =>
    Object.keys(inputSchema.properties ?? {}).map((argument) => [name, argument] as const),
  );
  for (const [tool, argument] of declared) {
    const example = EXAMPLES[`${tool}.${argument}`]?.(tag);
    if (example === undefined) throw new Error(`The argument "${argument}" of ${tool} has no example.`);
    const [args, other] = example;
    const result = await call(tool, args);
    expect(`${tool} ${JSON.stringify(args)}: ${result.text}`).toMatch(/: (?:HTTP 200|\d+ of|As the site)/);
    const changed = await call(tool, { ...args, [argument]: other });
    expect(changed, `${tool} with another ${argument}`).not.toEqual(result);
  }
  const known = declared.map((each) => each.join('.'));
  expect(Object.keys(EXAMPLES).filter((name) => !known.includes(name))).toEqual([]);
});
