import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';
import { nodeTransport, serve } from '../../src/node/index.ts';
import { useBrowser } from '../support/browser.ts';
import { type CertificateFolder, writeCertificate } from '../support/certificates.ts';
import { findFreePort } from '../support/server.ts';
import { startWordPress, type WordPress } from '../support/wordpress.ts';

const HOST = 'blog.example.com';
const browser = useBrowser({ ignoresCertificates: true });
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let wordpress: WordPress;
let files: CertificateFolder;
let folder: string;
let port: number;
let origin: string;

/** A site that has the public name, and learns from the gateway that its visitors use https. */
beforeAll(async () => {
  port = await findFreePort();
  origin = `https://${HOST}:${port}`;
  files = await writeCertificate(HOST);
  folder = await mkdtemp(join(tmpdir(), 'waygate-plugins-'));
  await writeFile(
    join(folder, 'address.php'),
    `<?php
// Both visitors have one address. WordPress refuses a second comment from it within 15 seconds.
add_action('check_comment_flood', fn () => remove_filter('wp_is_comment_flood', 'wp_check_comment_flood', 10), 99);
if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') { $_SERVER['HTTPS'] = 'on'; }
// The installation asked the site by its address. From then on it has its public name only.
if (($_SERVER['HTTP_HOST'] ?? '') === '${HOST}:${port}') {
    foreach (['home', 'siteurl'] as $name) { if (get_option($name) !== '${origin}') { update_option($name, '${origin}'); } }
}
`,
  );
  wordpress = await startWordPress({ muPlugins: folder });
}, 120_000);
afterAll(async () => {
  await wordpress.stop();
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

test('a whole WordPress over TLS and HTTP/2 by its host name is written, edited and read in a browser', async () => {
  const gateway = createGateway({
    sites: [
      {
        url: wordpress.url,
        hosts: [HOST],
        publicUrl: origin,
        passthrough: true,
        upstream: { host: `${HOST}:${port}` },
        validation: { mode: 'enforce' },
      },
    ],
    cache: 'memory',
    transport: nodeTransport,
  });
  await gateway.rediscover();
  expect(gateway.isReady()).toBe(true);
  const server = await serve(gateway, { port, tls: { certificates: [files] }, shutdownGrace: 1_000 });
  try {
    await useSite();
  } finally {
    await server.stop();
  }
});

async function useSite(): Promise<void> {
  const { console: lines, page, requests } = await browser.visit(`${origin}/wp-login.php`);
  const errors: string[] = [];
  page.on('response', (response: Response) => {
    if (response.status() >= 400)
      errors.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('dialog', (dialog) => void dialog.accept());

  // wp-admin
  await page.fill('#user_login', wordpress.users.administrator.user);
  await page.fill('#user_pass', wordpress.users.administrator.loginPassword);
  await page.click('#wp-submit');
  await page.waitForSelector('#wpadminbar');
  expect(page.url()).toBe(`${origin}/wp-admin/`);
  expect(
    await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => Reflect.get(entry, 'nextHopProtocol')),
    ),
  ).toEqual(['h2']);

  // Block editor
  await page.goto(`${origin}/wp-admin/post-new.php`);
  const link = await publish(page, 'A post');
  expect(link).toMatch(new RegExp(`^${origin}/`));

  // Media
  await page.goto(`${origin}/wp-admin/media-new.php?browser-uploader`);
  await page.setInputFiles('#async-upload', { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL });
  await Promise.all([page.waitForURL(/upload\.php/), page.click('#html-upload')]);
  const media = await page.evaluate(
    async () => (await (await fetch('/wp-json/wp/v2/media?per_page=1')).json()) as { source_url: string }[],
  );
  expect(await fetchStatus(page, media[0]?.source_url ?? '')).toBe(200);

  // Comments, by a visitor who has not signed in
  const visitor = await browser.visit(link);
  await visitor.page.fill('#comment', 'A new comment');
  await visitor.page.fill('#author', 'Visitor');
  await visitor.page.fill('#email', 'visitor@example.com');
  await Promise.all([visitor.page.waitForURL(/#comment-/), visitor.page.click('#commentform [type=submit]')]);
  expect(await visitor.page.textContent('body')).toContain('A new comment');
  await page.goto(`${origin}/wp-admin/edit-comments.php`);
  expect(await page.textContent('#the-comment-list')).toContain('A new comment');

  // Site editor
  await page.goto(`${origin}/wp-admin/site-editor.php`);
  await changeTemplate(page, 'Changed template');
  const changed = await browser.visit(`${origin}/`);
  expect(await changed.page.textContent('body')).toContain('Changed template');

  // Customizer
  await page.goto(`${origin}/wp-admin/customize.php`);
  await customizeTitle(page, 'Changed title');
  const front = await browser.visit(`${origin}/`);
  expect(await front.page.title()).toContain('Changed title');

  // No page has led to the site itself.
  const elsewhere = [...requests, ...visitor.requests].filter((url) => {
    const { hostname, origin: of } = new URL(url);
    return of !== origin && (hostname === HOST || hostname === '127.0.0.1' || hostname === 'localhost');
  });
  expect(elsewhere).toEqual([]);
  expect(errors).toEqual([]);
  expect(lines.filter((line) => line.startsWith('uncaught'))).toEqual([]);
}

/** The status of a resource for a script of the page. */
function fetchStatus(page: Page, url: string): Promise<number> {
  return page.evaluate(async (resource) => (await fetch(resource)).status, url);
}

/** Writes a post in the block editor and publishes it. @returns its permalink */
async function publish(page: Page, title: string): Promise<string> {
  await page.waitForFunction("window.wp?.data?.select('core/editor')?.getCurrentPostId() > 0");
  await page.evaluate(`(async () => {
    const { dispatch } = wp.data;
    dispatch('core/editor').editPost({ title: ${JSON.stringify(title)}, status: 'publish', comment_status: 'open' });
    dispatch('core/block-editor').insertBlocks(wp.blocks.createBlock('core/paragraph', { content: 'Written in a browser.' }));
    await dispatch('core/editor').savePost();
  })()`);
  await page.waitForFunction(
    "wp.data.select('core/editor').didPostSaveRequestSucceed() && wp.data.select('core/editor').getCurrentPost().status === 'publish'",
  );
  return String(await page.evaluate("wp.data.select('core/editor').getPermalink()"));
}

/** Changes the template of the front page in the site editor. */
async function changeTemplate(page: Page, text: string): Promise<void> {
  await page.waitForFunction("window.wp?.data?.select('core/edit-site') !== undefined");
  await page.evaluate(`(async () => {
    const { dispatch, resolveSelect } = wp.data;
    const query = { per_page: -1 };
    const templates = await resolveSelect('core').getEntityRecords('postType', 'wp_template', query);
    const template = templates.find(({ slug }) => slug === 'home') ?? templates.find(({ slug }) => slug === 'index');
    const content = template.content.raw + '<!-- wp:paragraph --><p>' + ${JSON.stringify(text)} + '</p><!-- /wp:paragraph -->';
    await dispatch('core').saveEntityRecord('postType', 'wp_template', { id: template.id, slug: template.slug, content }, { throwOnError: true });
  })()`);
}

/** Changes the title of the site in the customizer, and publishes the change. */
async function customizeTitle(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    "window.wp?.customize?.previewer !== undefined && window.wp.customize('blogname') !== undefined",
  );
  // The preview is a page of the site in a frame.
  await page.waitForFunction("wp.customize.previewer.deferred?.active?.state() === 'resolved'");
  await page.evaluate(`new Promise((resolve, reject) => {
    wp.customize('blogname').set(${JSON.stringify(title)});
    wp.customize.previewer.save().done(resolve).fail((problem) => reject(new Error(JSON.stringify(problem))));
  })`);
}
