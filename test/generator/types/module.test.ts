import openapiTypescript, { astToString } from 'openapi-typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { toTypes } from '../../../src/generator/types/index.ts';
import { recordedDocument } from './documents.ts';
import { listErrors } from './type-checker.ts';

describe('the module of the recorded WordPress 7.1 index', () => {
  let document: JsonObject = {};
  let module = '';
  let reference = '';
  beforeAll(async () => {
    document = recordedDocument();
    module = await toTypes(document);
    reference = astToString(await openapiTypescript(JSON.stringify(document), { silent: true }));
  }, 60_000);

  it('is the same in every run, byte for byte', async () => {
    expect(await toTypes(structuredClone(document))).toBe(module);
  });

  it('compiles under the strictest options, works with openapi-fetch, and has the keys of openapi-typescript', () => {
    // One program for all files, because parsing TypeScript's own libraries takes most of the time.
    const errors = listErrors({
      'site.ts': module,
      'reference.ts': reference,
      'consumer.ts': consumer,
      'same.ts': same,
    });
    expect(errors).toEqual([]);
  }, 60_000);

  it('declares every type once, and none is `any`', () => {
    const names = [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(module).not.toMatch(/[:|&<(] ?any\b/);
    expect(module).not.toContain('Record<');
  });
});

const consumer = `
import createClient from "openapi-fetch";
import type { CreatePostBody, Error as SiteError, GetPostPath, ListPostsQuery, paths, Post, PostEdit } from "./site.ts";

const site = createClient<paths>({ baseUrl: "https://example.com/wp-json" });

export async function list(): Promise<Post[]> {
  const query: ListPostsQuery = { per_page: 10, include: [1, 2], categories: [3], status: ["publish", "draft"], _fields: ["id"] };
  const { data, error, response } = await site.GET("/wp/v2/posts", { params: { query } });
  if (error) {
    const code: string | number = error.code;
    throw new globalThis.Error(String(code) + error.message);
  }
  const total: string | null = response.headers.get("X-WP-Total");
  return total === null ? [] : data;
}

export async function get(path: GetPostPath): Promise<string | undefined> {
  const { data } = await site.GET("/wp/v2/posts/{id}", { params: { path, query: { context: "view" } } });
  return data?.title?.rendered;
}

export async function create(body: CreatePostBody): Promise<PostEdit | undefined> {
  const { data } = await site.POST("/wp/v2/posts", { body });
  return data;
}

export async function upload(file: Blob): Promise<number | undefined> {
  const { data } = await site.POST("/wp/v2/media", { body: file, bodySerializer: (body) => body });
  return data?.id;
}

export async function wrong(): Promise<void> {
  await create({ title: { raw: "Words" }, status: "draft", categories: [1] });
  await site.GET("/wp/v2/posts", { params: { query: { categories: { terms: [1], include_children: true } } } });
  // @ts-expect-error the parameter is a number
  await site.GET("/wp/v2/posts/{id}", { params: { path: { id: "one" } } });
  // @ts-expect-error a misspelt parameter
  await site.GET("/wp/v2/posts", { params: { query: { perpage: 1 } } });
  // @ts-expect-error no such status
  await create({ status: "gone" });
  const { data } = await site.GET("/wp/v2/posts/{id}", { params: { path: { id: 1 } } });
  // @ts-expect-error the data of an error response is undefined
  data.id;
}
`;

/** Program that compares the paths, parameters, statuses and keys with those of openapi-typescript for the same document. */
const same = `
import type * as ours from "./site.ts";
import type * as theirs from "./reference.ts";

type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Differing<A, B> = { [K in keyof A & keyof B]: Same<A[K], B[K]> extends true ? never : K }[keyof A & keyof B];
type Methods<P> = { [K in keyof P]: { [M in keyof P[K]]: P[K][M] extends { responses: unknown } ? M : never }[keyof P[K]] };
type Keys<O, Part extends string> = {
  [K in keyof O]: O[K] extends { [P in Part]?: infer V } ? (V extends undefined ? never : keyof V) : never;
};
type Nested<O> = { [K in keyof O]: O[K] extends { parameters: infer P } ? { [I in keyof P]: keyof NonNullable<P[I]> } : never };
type Required<O> = { [K in keyof O]: O[K] extends { parameters: infer P } ? { [I in keyof P]: {} extends Pick<P, I> ? false : true } : never };

export const paths: Same<keyof ours.paths, keyof theirs.paths> = true;
export const operations: Same<keyof ours.operations, keyof theirs.operations> = true;
export const schemas: Same<keyof ours.components["schemas"], keyof theirs.components["schemas"]> = true;
type Never<T> = [T] extends [never] ? true : T;
export const methods: Never<Differing<Methods<ours.paths>, Methods<theirs.paths>>> = true;
export const statuses: Never<Differing<Keys<ours.operations, "responses">, Keys<theirs.operations, "responses">>> = true;
export const parameters: Never<Differing<Nested<ours.operations>, Nested<theirs.operations>>> = true;
export const required: Never<Differing<Required<ours.operations>, Required<theirs.operations>>> = true;
`;
