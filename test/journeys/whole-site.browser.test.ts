import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { serve } from '../../src/gateway/node/index.ts';
import { openGateway } from '../../src/open-gateway.ts';
import { fillLogin, useBrowser } from '../support/browser.ts';
import { createCertificate } from '../support/certificates.ts';
import { findFreePort, startServer } from '../support/server.ts';
import { startWordPress, type WordPress } from '../support/wordpress.ts';

const HOST = 'blog.example.com';
const browser = useBrowser({ ignoresCertificates: true });

let wordpress: WordPress;
let folder: string;
let port: number;
let origin: string;

/** A site that has the public name, and learns from the gateway that its visitors use https. */
beforeAll(async () => {
  port = await findFreePort();
  origin = `https://${HOST}:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'waygate-plugins-'));
  await writeFile(
    join(folder, 'address.php'),
    `<?php
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
  await rm(folder, { recursive: true, force: true });
});

// `shop.browser.test.ts` has the steps of people, over plain HTTP.
describe('a whole WordPress is written, edited and read in a browser', () => {
  test('over TLS by its host name, behind what ends it', async () => {
    const gatewayPort = await findFreePort();
    const proxy = createServer(createCertificate({ name: HOST }), (socket) => {
      const upstream = connect(gatewayPort, '127.0.0.1');
      for (const each of [socket, upstream]) each.on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const { close } = await startServer(proxy, { port });
    const site = { hosts: [HOST], publicUrl: origin, upstream: { host: `${HOST}:${port}` } };
    await serveSite(origin, site, gatewayPort);
    await close();
  });
});

async function serveSite(at: string, options: Partial<SiteOptions>, gatewayPort = port): Promise<void> {
  const site = {
    url: wordpress.url,
    passthrough: true,
    validation: { mode: 'enforce' },
    ...options,
  } as const;
  const gateway = openGateway({ sites: [site], cache: 'memory' });
  await gateway.rediscover();
  expect(gateway.isReady()).toBe(true);
  const server = await serve({ gateway, port: gatewayPort, settings: { shutdownGrace: 1_000 } });
  try {
    await useSite(at);
  } finally {
    await server.stop();
  }
}

async function useSite(origin: string): Promise<void> {
  const { console: lines, page, requests } = await browser.visit(`${origin}/wp-login.php`);
  const errors: string[] = [];
  page.on('response', (response: Response) => {
    if (response.status() >= 400)
      errors.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('dialog', (dialog) => void dialog.accept());

  // wp-admin
  const { loginPassword, user } = wordpress.users.administrator;
  await fillLogin(page, user, loginPassword);
  await page.click('#wp-submit');
  await page.waitForSelector('#wpadminbar');
  expect(page.url()).toBe(`${origin}/wp-admin/`);

  // Block editor
  await page.goto(`${origin}/wp-admin/post-new.php`);
  const link = await publish(page, 'A post');
  expect(link).toMatch(new RegExp(`^${origin}/`));

  const visitor = await browser.visit(link);
  expect(await visitor.page.textContent('body')).toContain('Written in a browser.');

  // Site editor
  await page.goto(`${origin}/wp-admin/site-editor.php`);
  await changeTemplate(page, `Changed at ${origin}`);
  const changed = await browser.visit(`${origin}/`);
  expect(await changed.page.textContent('body')).toContain(`Changed at ${origin}`);

  // No page has led to the site itself.
  const elsewhere = [...requests, ...visitor.requests].filter((url) => {
    const { hostname, origin: of } = new URL(url);
    return of !== origin && (hostname === HOST || hostname === '127.0.0.1' || hostname === 'localhost');
  });
  expect(elsewhere).toEqual([]);
  expect(errors).toEqual([]);
  expect(lines.filter((line) => line.startsWith('uncaught'))).toEqual([]);
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
