import type { Page } from 'playwright-core';

// Actions of a user on the documentation page (`src/docs`), located by the texts of Scalar's page.

/** Waits until the page has loaded the document and can be searched. */
export async function waitUntilSearchable(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).first().waitFor({ timeout: 30_000 });
}

/** Enters words into the search. @returns results in order: `['List posts GET /wp/v2/posts', …]` */
export async function search(page: Page, words: string): Promise<readonly string[]> {
  await waitUntilSearchable(page);
  if ((await page.getByRole('combobox').count()) === 0) await page.keyboard.press('Control+k');
  await page.getByRole('combobox').first().fill(words);
  await page.getByRole('option').first().waitFor();
  return page.getByRole('option').evaluateAll((options) =>
    options.map((option) => {
      // Text for screen readers: "Operation: <summary>, HTTP Method: get GET Path: /wp/v2/posts".
      const text = (option.textContent ?? '').replace(/\s+/g, ' ');
      const [, summary = '', method = '', path = ''] =
        /Operation: (.*?) ?, ?.*HTTP Method: (\w+).*Path: (.*)$/.exec(text) ?? [];
      return path === '' ? text.trim() : `${summary.trim()} ${method.toUpperCase()} ${path.trim()}`;
    }),
  );
}

/** Clicks a result of the open search and waits for the section of the operation. */
export async function openResult(page: Page, method: string, path: string): Promise<void> {
  const option = page
    .getByRole('option')
    .filter({ hasText: new RegExp(`HTTP Method:\\s*${method}[^]*Path:\\s*${escapeRegExp(path)}\\s*$`, 'i') });
  await option.first().click();
  await tryButton(page, method, path).waitFor();
}

/** A response as the page shows it. */
export interface DisplayedResponse {
  /** `200 OK` */
  readonly status: string;
  readonly body: string;
}

/** Opens the form of an operation and sends it unchanged. @returns the displayed response */
export async function tryOperation(page: Page, method: string, path: string): Promise<DisplayedResponse> {
  await tryButton(page, method, path).click();
  const form = page.getByRole('dialog');
  await form
    .getByRole('button', { name: /^Send\b/ })
    .first()
    .click();
  const status = form.getByText(/^\d{3} /).first();
  await status.waitFor();
  const body = form.locator('.cm-content').last();
  await body.waitFor();
  const lines = await body.locator('.cm-line').allTextContents();
  return { status: ((await status.textContent()) ?? '').trim(), body: lines.join('\n') };
}

function tryButton(page: Page, method: string, path: string) {
  return page.getByRole('button', { name: `Test Request (${method.toLowerCase()} ${path})`, exact: true });
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
