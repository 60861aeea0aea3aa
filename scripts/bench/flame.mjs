// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildModules, root as ROOT } from '../build/bundle.mjs';
import { measure, warmUp } from './load.mjs';
import { start } from './processes.mjs';

const COLLECTION = '/wp-json/shop/v1/thing0s';
/** @type {Record<string, import('./load.mjs').Requests>} */
const REQUESTS = {
  hit: { method: 'GET', paths: [`${COLLECTION}?per_page=5`] },
  miss: { method: 'GET', paths: [`${COLLECTION}?per_page=5`], runId: -1 },
  POST: {
    method: 'POST',
    paths: [COLLECTION],
    body: JSON.stringify({ field_0: 'x'.repeat(900), field_1: 1, field_2: [{ key: 'a' }] }),
  },
};

/**
 * Draws a flame graph of each kind of request: the CPU time of a gateway with a memory store under `enforce`, in front of a
 * site of 230 operations, with metrics and an access log. Writes `docs/images/flame-<kind>.svg`.
 *
 * @param {readonly string[]} kinds all if empty
 * @param {number} seconds of load
 */
export async function drawFlameGraphs(kinds, seconds) {
  const modules = await buildModules();
  const folder = await mkdtemp(join(tmpdir(), 'waygate-flame-'));
  const site = await start('load', [
    'scripts/bench/servers/stub.mjs',
    '--port',
    '{port}',
    '--operations',
    '230',
  ]);
  try {
    for (const [kind, requests] of Object.entries(REQUESTS)) {
      if (kinds.length > 0 && !kinds.includes(kind)) continue;
      const profile = join(folder, `${kind}.cpuprofile`);
      const server = await start(
        'server',
        [
          'scripts/bench/servers/profiled.mjs',
          '--port',
          '{port}',
          '--modules',
          modules,
          '--site',
          site.url,
          '--profile',
          profile,
        ],
        '/-/ready',
      );
      await warmUp(server, requests);
      // The first signal starts the profiler, the second one stops it and writes the profile.
      process.kill(server.pid, 'SIGUSR2');
      await readOnceItEnds(profile, 'started');
      await measure(server, { ...requests, ...(requests.runId === undefined ? {} : { runId: 1 }) }, seconds);
      process.kill(server.pid, 'SIGUSR2');
      const tree = toTree(JSON.parse(await readOnceItEnds(profile, '}')), pathToFileURL(`${modules}/`).href);
      await server.stop();
      const file = `docs/images/flame-${kind.toLowerCase()}.svg`;
      writeFileSync(join(ROOT, file), toSvg(tree, `CPU time of a ${kind}`));
      console.log(file);
    }
  } finally {
    await site.stop();
    await rm(folder, { recursive: true });
  }
}

/** Reads a file once its text ends with `end`. @param {string} file @param {string} end */
async function readOnceItEnds(file, end) {
  for (let attempt = 0; attempt < 300; attempt++) {
    await sleep(100);
    try {
      const text = readFileSync(file, 'utf8');
      if (text.endsWith(end)) return text;
    } catch {}
  }
  throw new Error('the server wrote no profile');
}

/**
 * A function at one place of the stack.
 *
 * @typedef {{ name: string, kind: string, time: number, children: Map<string, Frame> }} Frame
 */

/**
 * Adds up the samples of a profile by stack. Recursion and repeated stacks become one frame.
 *
 * @param {any} profile
 * @param {string} modules URL of the folder of the built modules
 * @returns {Frame}
 */
function toTree({ nodes, samples, timeDeltas }, modules) {
  /** @type {Map<number, number>} */
  const own = new Map();
  for (const [at, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0));
  const byId = new Map(nodes.map((/** @type {any} */ node) => [node.id, node]));
  /** @param {any} node @param {Frame} parent @returns {void} */
  const add = (node, parent) => {
    const { name, kind } = describe(node.callFrame, modules);
    // The second is the start of the profiler.
    if (name === '(idle)' || name === 'post (node:inspector)') return;
    const frame = parent.children.get(name) ?? { name, kind, time: 0, children: new Map() };
    parent.children.set(name, frame);
    frame.time += own.get(node.id) ?? 0;
    for (const id of node.children ?? []) add(byId.get(id), frame);
  };
  /** @type {Frame} */
  const root = { name: 'all', kind: 'node', time: 0, children: new Map() };
  for (const id of nodes[0].children ?? []) add(byId.get(id), root);
  addUp(root);
  return root;
}

/** Adds the time of the called functions to each frame. @param {Frame} frame @returns {number} */
function addUp(frame) {
  for (const child of frame.children.values()) frame.time += addUp(child);
  return frame.time;
}

/** @param {{ functionName: string, url: string }} callFrame @param {string} modules */
function describe({ functionName, url }, modules) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url.startsWith(modules) && !url.includes('/node_modules/')) {
    return { name: `${name} (${url.slice(modules.length).replace(/\.js$/, '')})`, kind: 'src' };
  }
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (library !== undefined) return { name: `${name} (${library})`, kind: 'package' };
  // V8 has frames without a URL, such as the garbage collector's; scripts are those of this folder.
  return { name: url.startsWith('node:') ? `${name} (${url})` : name, kind: 'node' };
}

const WIDTH = 1200;
const ROW = 17;
/** Frames that are narrower are left out. */
const MINIMUM_WIDTH = 1.5;
const COLOURS = { src: '#f4a259', package: '#8cb369', node: '#b8bec8' };

/** @param {Frame} root @param {string} title */
function toSvg(root, title) {
  /** @type {string[]} */
  const shapes = [];
  let depth = 0;
  /** @param {Frame} frame @param {number} x @param {number} level */
  const draw = (frame, x, level) => {
    const width = (frame.time / root.time) * WIDTH;
    if (width < MINIMUM_WIDTH) return;
    depth = Math.max(depth, level);
    const share = ((frame.time / root.time) * 100).toFixed(1);
    const top = (level + 1) * ROW + 8;
    // A letter is about 6.2 wide.
    const text = width < 30 ? '' : escapeXml(frame.name.slice(0, Math.floor(width / 6.2)));
    shapes.push(
      `<g><title>${escapeXml(frame.name)}: ${share} %</title>` +
        `<rect class="${frame.kind}" x="${x.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${ROW - 1}"/>` +
        `${text === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${top + 12}">${text}</text>`}</g>`,
    );
    let left = x;
    for (const child of [...frame.children.values()].sort((a, b) => b.time - a.time)) {
      draw(child, left, level + 1);
      left += (child.time / root.time) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const styles = Object.entries(COLOURS).map(([kind, colour]) => `.${kind}{fill:${colour}}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${(depth + 2) * ROW + 12}" role="img" aria-label="${title}">`,
    `<style>text{font:11px monospace}rect{stroke:#fff;stroke-width:.5}${styles.join('')}</style>`,
    `<text x="3" y="16">${title}: orange is src, green are packages, grey is Node</text>`,
    ...shapes,
    '</svg>',
    '',
  ].join('\n');
}

/** @param {string} text */
function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
