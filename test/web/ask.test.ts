import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ModelServer, startModelServer } from '../explorer/model-server.js';
import { modelQuestion, writesSql } from '../explorer/service/explorer-service.js';
import { startDemoService } from '../service/demo-service.js';
import { startProvider, type TestProvider } from '../service/sign-in-provider.js';
import { eventually } from '../services/eventually.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { type StrippingProxy, startStrippingProxy } from './stripping-proxy.js';
import { type OpenPage, PHONE, useConsole } from './use-console.js';

describe('questions in the console', () => {
  let provider: TestProvider;
  let proxy: StrippingProxy;
  let model: ModelServer;
  const console = useConsole(async () => {
    [provider, model, proxy] = await Promise.all([startProvider(), startModelServer(), startStrippingProxy('')]);
    const models = { MODEL_URL: model.url, MODEL_NAME: 'test' };
    const demo = await startDemoService({ ...provider.environment, ...models, PUBLIC_URL: proxy.url });
    proxy.target = demo.service.url;
    return demo;
  });
  after(async () => {
    await proxy?.close();
    await model?.close();
    await provider?.shut();
  });

  /** Opens the question page as a new user, because each user can ask few questions. */
  const openAs = async (open: OpenPage, login: string, options = {}): Promise<Page> => {
    provider.next.claims = { sub: `host|${login}`, nickname: login };
    return open('/sign-in/?return_to=/ask', { root: proxy.url, origins: [provider.issuer], ...options });
  };

  console.it('get an answer of an endpoint, feedback, and a link that everyone can read', async (open) => {
    const page = await openAs(open, 'ada');
    await ask(page, 'Which repositories are trending this week?');
    await page.getByText('How this was answered').waitFor();
    expect(await page.getByText('"this week" means the past week.').count()).to.equal(1);
    expect(await page.getByRole('link', { name: 'list-trending-repos' }).getAttribute('href')).to.equal(
      '/e/list-trending-repos?period=past_week',
    );
    await page.getByLabel('Is this answer correct?').fill('All of it.');
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('You said: correct · “All of it.”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel('Is this answer correct?').waitFor();
    await expectAccessible(page);
    const visitor = await open(new URL(page.url()).pathname, { root: proxy.url, ...PHONE });
    await visitor.getByRole('table').first().waitFor();
    await visitor.getByText('SQL', { exact: true }).click();
    await visitor.getByRole('button', { name: 'Copy the SQL' }).waitFor();
    expect(await visitor.getByRole('button', { name: 'Ask again' }).count()).to.equal(0);
    await expectFits(visitor);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.waitForURL((url) => url.href !== visitor.url());
    await page.getByText('How this was answered').waitFor();
  });

  console.it('show their progress until a model answers, and texts of the model as text', async (open) => {
    const page = await openAs(open, 'bea');
    const question = modelQuestion('with markup');
    const hostile = `${question} <img src=x onerror=alert(1)>`;
    model.replyTo(question, { ...writesSql("SELECT '<b>bold</b>' AS x"), isHeld: true });
    await ask(page, hostile);
    await page.getByRole('listitem').getByText('Looking for an answer').waitFor();
    await eventually(() => model.concurrent === 1);
    model.release();
    await page.getByText('SQL of a language model').waitFor();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await page.getByRole('table').getByText('<b>bold</b>').waitFor();
  });

  console.it('can be cancelled, and a third question in progress is rejected', async (open) => {
    const page = await openAs(open, 'cleo', { expected: / 429 / });
    for (const name of ['one', 'two']) {
      model.replyTo(modelQuestion(name), { stall: 'before-headers' });
      await page.goto(`${proxy.url}/ask`);
      await ask(page, modelQuestion(name));
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
    }
    await page.getByLabel('Ask another question').fill(modelQuestion('three'));
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('alert').getByText('Too many questions').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The question was cancelled').waitFor();
  });

  console.it('that cannot be answered get a reason and similar questions', async (open) => {
    const page = await openAs(open, 'dora');
    const question = modelQuestion('about salaries');
    model.replyTo(question, { answer: { sqlCanAnswer: false, reason: 'No table has salaries.' } });
    await ask(page, question);
    await page.getByText('No table has salaries.').waitFor();
    await page.getByText('Similar questions that can be answered').waitFor();
    await expectAccessible(page);
  });

  console.it('of visitors lead to the sign-in, and to endpoints that answer them', async (open) => {
    const page = await open('/ask', { root: proxy.url });
    const stars = 'How did the number of stargazers of ivory-badger/brook-series grow?';
    await page.getByLabel('Your question').fill(stars);
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).to.equal(true);
    await page.getByText('Sign in to ask a question.').waitFor();
    await page.getByRole('link', { name: 'Stargazers of a repository over time' }).click();
    await page.waitForURL(`${proxy.url}/e/stargazers-history?owner=ivory-badger&repo=brook-series`);
  });
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.waitForURL(/\/ask\/./);
}
