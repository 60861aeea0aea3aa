import { expect, test } from 'vitest';
import { ResponseExamples } from '../../src/example-values/response-examples.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json.ts';
import { applyOverlay, type OpenApiDocument, toOpenApi } from '../../src/openapi/index.ts';
import { createOverlayActions } from '../../src/reconcile/create-overlay.ts';
import { createSamples } from '../support/route-sample.ts';
import { createDiscoveredSite } from '../support/site.ts';

const ROUTE = '/library/v1/loans';
const properties = Object.fromEntries(
  [
    ...['id', 'mass', 'reader', 'mail', 'home', 'secret', 'stamp', 'state', 'nickname', 'status', 'shelf'],
    ...['edition', 'fine', 'remark', 'file', 'place', 'extra', 'ever', 'opened', 'marks'],
  ].map((name): [string, JsonObject] => [name, {}]),
);

/** What the samples of a site contain that no output may. */
const PRIVATE = [
  ...['Rosalind Franklin', 'rosalind@kings.example.com', '17 Notting Hill Gate', 'tok_93jd83kdm39dk'],
  ...['rosalind', 'draft', 'Her own remark', 'a-private-shelf', '/srv/rosalind/thesis.pdf', '512.75'],
];

const loan = (id: number): JsonObject => ({
  id,
  mass: 48_213,
  reader: 'Rosalind Franklin',
  mail: 'rosalind@kings.example.com',
  home: '17 Notting Hill Gate',
  secret: 'tok_93jd83kdm39dk',
  stamp: '2026-01-05T09:00:00',
  state: 'archived',
  nickname: 'rosalind',
  // A word of the site that its index does not have.
  status: 'draft',
  shelf: 'a-private-shelf',
  edition: '12.4.1',
  fine: '512.75',
  remark: '<p>Her own remark</p>',
  file: '/srv/rosalind/thesis.pdf',
  place: 'GB',
  ...(id === 101 ? { extra: 'Rosalind Franklin' } : {}),
  ever: null,
  opened: false,
  marks: ['rosalind'],
});

function createDocument(): OpenApiDocument {
  const schemas = { [ROUTE]: { title: 'loan', type: 'object', properties } };
  const stated = { type: 'string', enum: ['archived', 'current'] };
  const site = createDiscoveredSite({ [ROUTE]: { GET: { only: stated } } }, { schemas });
  return JSON.parse(JSON.stringify(toOpenApi(site).document));
}

function reconcile(ids: readonly number[]): { readonly text: string; readonly example: Json } {
  const samplesOf = (stated: OpenApiDocument) =>
    createSamples(
      stated,
      ids.map((id) => ({ route: ROUTE, content: [loan(id)] })),
    );
  const { actions, document } = createOverlayActions(createDocument(), samplesOf(createDocument()));
  const applied = applyOverlay(createDocument(), { overlay: '1.1.0', actions });
  expect(applied.document).toEqual(document);
  expect(createOverlayActions(applied.document, samplesOf(applied.document)).actions).toEqual([]);
  const { components } = document as JsonObject;
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  const [name = ''] = Object.keys(isJsonObject(schemas) ? schemas : {}).filter((each) => /^Loan$/.test(each));
  const example = new ResponseExamples(document).create({ schema: { $ref: `#/components/schemas/${name}` } });
  return { text: JSON.stringify([actions, document, example]), example: example ?? null };
}

test('examples are of the kind of samples, and contain nothing of them', () => {
  const { example, text } = reconcile([101, 102, 103, 104]);
  expect(example).toEqual({
    id: expect.toSatisfy((value) => value > 9),
    mass: expect.toSatisfy((value) => String(value).length === 5),
    reader: expect.stringMatching(/ /),
    mail: expect.stringMatching(/^[a-z]+@example\.com$/),
    home: expect.stringMatching(/ |^https/),
    secret: expect.stringMatching(/^\S+$/),
    stamp: expect.stringMatching(/^2026-\d\d-\d\dT\d\d:\d\d:00$/),
    // The index has the word as the value of a parameter.
    state: 'archived',
    nickname: expect.any(String),
    status: expect.any(String),
    shelf: expect.stringMatching(/^[a-z-]+$/),
    edition: expect.stringMatching(/^\d+(\.\d+)+$/),
    fine: expect.stringMatching(/^\d+\.\d\d$/),
    remark: expect.stringMatching(/^<p>.*<\/p>$/),
    file: expect.stringMatching(/^\//),
    place: expect.stringMatching(/^[A-Z]{2}$/),
    ever: null,
    opened: false,
    marks: [expect.any(String)],
  });
  for (const value of PRIVATE) expect(text).not.toContain(value);
});

test('one or two samples tell nothing of values', () => {
  expect(reconcile([101]).text).not.toContain('x-waygate-samples');
});
