import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { modelQuestion, writesSql } from '../explorer/service/explorer-service.js';
import { eventually } from '../services/eventually.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { accounts } from './accounts.js';
import { PREFIX, useModelConsole } from './console-service.js';
import { PHONE } from './sessions.js';
import type { OpenPage } from './use-console.js';

describe('questions in the console', () => {
  const console = useModelConsole();

  /** Opens the question page as a new user, because each user may only ask a few questions. */
  const openAs = (open: OpenPage, login: string, options = {}): Promise<Page> =>
    open(`/sign-in/?return_to=${PREFIX}/ask`, { ...console.demo.signInAs(login), ...options });
  const root = () => console.demo.proxy.url;

  console.it('get an answer of an endpoint, feedback, and a link that everyone can read', async (open) => {
    const page = await openAs(open, 'anna');
    await ask(page, 'Which repositories are trending this week?');
    await page.getByText('How this was answered').waitFor();
    expect(await page.getByText('"this week" means the past week.').count()).to.equal(1);
    expect(await page.getByText(/ has the highest score, with \d+ new stars?\.$/).count()).to.equal(1);
    expect(await page.getByRole('link', { name: 'list-trending-repos' }).getAttribute('href')).to.equal(
      `${PREFIX}/e/list-trending-repos?period=past_week`,
    );
    await page.getByLabel('Is this answer correct?').fill('All of it.');
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('You said: correct · “All of it.”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel('Is this answer correct?').waitFor();
    await expectAccessible(page);
    const visitor = await open(page.url().slice(root().length), { root: root(), ...PHONE });
    await visitor.getByRole('table').first().waitFor();
    await visitor.getByText('SQL', { exact: true }).click();
    await visitor.getByRole('button', { name: 'Copy the SQL' }).waitFor();
    expect(await visitor.getByRole('button', { name: 'Ask again' }).count()).to.equal(0);
    await expectFits(visitor);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.waitForURL((url) => url.href !== visitor.url());
    await page.getByText('How this was answered').waitFor();
  });

  console.it('show texts of the model as text', async (open) => {
    const page = await openAs(open, 'bea');
    const question = modelQuestion('with markup');
    const hostile = `${question} <img src=x onerror=alert(1)>`;
    const { model } = console.demo;
    model.replyTo(question, { ...writesSql("SELECT '<b>bold</b>' AS x"), isHeld: true });
    await ask(page, hostile);
    await page.getByRole('listitem').getByText('Looking for an answer').waitFor();
    await eventually(() => model.concurrent === 1);
    model.release();
    await page.getByText('SQL of a language model').waitFor();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await page.getByRole('table').getByText('<b>bold</b>').waitFor();
  });

  console.it('show their progress, can be cancelled, and a third question in progress is rejected', async (open) => {
    const page = await openAs(open, 'cleo', { expected: / 429 / });
    for (const name of ['one', 'two']) {
      console.demo.model.replyTo(modelQuestion(name), { stall: 'before-headers' });
      await page.goto(`${root()}/ask`);
      await ask(page, modelQuestion(name));
      await page.getByRole('listitem').getByText('Looking for an answer').waitFor();
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
    console.demo.model.replyTo(question, { answer: { sqlCanAnswer: false, reason: 'No table has salaries.' } });
    await ask(page, question);
    await page.getByText('No table has salaries.').waitFor();
    await page.getByText('Similar questions that can be answered').waitFor();
    await expectAccessible(page);
  });

  console.it('of visitors lead to the sign-in, and to endpoints that answer them', async (open) => {
    const page = await open('/ask', { root: root() });
    const stars = 'How did the number of stargazers of ivory-badger/brook-series grow?';
    await page.getByLabel('Your question').fill(stars);
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).to.equal(true);
    await page.getByText('Sign in to ask a question.').waitFor();
    await page.getByRole('link', { name: 'Stars of a repository over time' }).click();
    await page.waitForURL(`${root()}/e/stargazers-history?owner=ivory-badger&repo=brook-series`);
  });
});

/** In this file, because each file with this service can start another one. */
describe('the account in the console, under a path prefix behind a proxy', () => {
  accounts(useModelConsole(), PREFIX);
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.waitForURL(/\/ask\/./);
}
