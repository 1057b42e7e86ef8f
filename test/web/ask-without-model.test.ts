import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startDemoService } from '../service/demo-service.js';
import { startProvider, type TestProvider } from '../service/sign-in-provider.js';
import { type StrippingProxy, startStrippingProxy } from './stripping-proxy.js';
import { useConsole } from './use-console.js';

describe('questions in the console, without a language model', () => {
  let provider: TestProvider;
  let proxy: StrippingProxy;
  let users = 0;
  const console = useConsole(async () => {
    provider = await startProvider();
    proxy = await startStrippingProxy('');
    const demo = await startDemoService({ ...provider.environment, PUBLIC_URL: proxy.url });
    proxy.target = demo.service.url;
    return demo;
  });
  after(async () => {
    await proxy?.close();
    await provider?.shut();
  });
  const signedIn = () => {
    provider.next.claims = { sub: `host|${++users}`, nickname: `asker${users}` };
    return { root: proxy.url, origins: [provider.issuer] };
  };

  console.it('need a sign-in, and say how they are answered', async (open) => {
    const page = await open('/ask', { root: proxy.url });
    await page.getByText('This service has no language model.').waitFor();
    await page.getByText('Sign in to ask a question.').waitFor();
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).to.equal(true);
  });

  console.it('that no definition answers are declined with a reason', async (open) => {
    const page = await open('/sign-in/?return_to=/ask', signedIn());
    await ask(page, 'what is the meaning of life');
    await page
      .getByRole('alert')
      .or(page.getByText(/cannot|no endpoint|declined|not answer/i))
      .first()
      .waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
  });

  console.it('about an unknown address say that the question does not exist', async (open) => {
    const page = await open('/ask/00000000-0000-4000-8000-000000000000', { root: proxy.url, expected: / 404 / });
    await page.getByText('There is no question at this address').waitFor();
  });
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.waitForURL(/\/ask\/.+/);
  await page.getByRole('heading', { level: 1, name: question }).waitFor();
}
