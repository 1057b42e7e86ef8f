import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsoleService } from './console-service.js';

describe('questions in the console, without a language model', () => {
  const console = useConsoleService();

  console.it('need a sign-in, and say how they are answered', async (open) => {
    const page = await open('/ask', { root: console.demo.proxy.url });
    await page.getByText('This service has no language model.').waitFor();
    await page.getByText('Sign in to ask a question.').waitFor();
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).to.equal(true);
  });

  console.it('that no definition answers are declined with a reason', async (open) => {
    const page = await open('/sign-in/?return_to=/ask', console.demo.signInAs('asker'));
    await ask(page, 'what is the meaning of life');
    await page
      .getByRole('alert')
      .or(page.getByText(/cannot|no endpoint|declined|not answer/i))
      .first()
      .waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
  });

  console.it('about an unknown address say that the question does not exist', async (open) => {
    const page = await open('/ask/00000000-0000-4000-8000-000000000000', {
      root: console.demo.proxy.url,
      expected: / 404 /,
    });
    await page.getByText('There is no question at this address').waitFor();
  });
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.waitForURL(/\/ask\/.+/);
  await page.getByRole('heading', { level: 1, name: question }).waitFor();
}
