import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../services/eventually.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { waitUntil } from './complete-page.js';
import type { ConsoleService } from './console-service.js';
import type { ConsoleOfSuite } from './use-console.js';

/** Defines the tests of the account page of a service, with those under a path prefix if it has one. */
export function accounts(console: ConsoleOfSuite<ConsoleService>, prefix: string): void {
  const options = () =>
    console.demo.signInAs('ada', { name: 'Ada Lovelace', email: 'ada@example.org', email_verified: true });

  console.it('signs in and out, and returns to the page', async (open) => {
    const { proxy } = console.demo;
    const page = await open('/account', options());
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Ada Lovelace').first().waitFor();
    expect(page.url()).to.equal(`${proxy.url}/account`);
    await expectNothingReadable(page);
    // Only the service under the prefix sends e-mails.
    const hasSwitch = (await page.getByRole('checkbox', { name: 'A weekly e-mail' }).count()) === 1;
    expect(hasSwitch).to.equal(prefix !== '');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Ada Lovelace').count()).to.equal(0);
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  if (prefix === '') return;

  console.it('changes subscriptions and the weekly digest', async (open) => {
    const page = await open(`/sign-in/?return_to=${prefix}/account`, options());
    await page.getByLabel('Add a repository').fill(console.demo.repository);
    await page.getByRole('button', { name: `Subscribe to ${console.demo.repository}` }).click();
    const list = page.getByRole('list', { name: 'Repositories that you follow' });
    await list.getByRole('link', { name: console.demo.repository }).waitFor();
    const digest = page.getByRole('checkbox', { name: 'A weekly e-mail about your subscriptions' });
    await page.getByText('Off', { exact: true }).waitFor();
    await digest.click();
    await page.getByText(/^On\. The next one is due on .+ \(Mondays at 8:00 in .+\), if anything changed\.$/).waitFor();
    await page.reload();
    await page.getByText(/^On\. The next one/).waitFor();
    expect(await digest.isChecked()).to.equal(true);
    await list.getByRole('button', { name: `Unsubscribe from ${console.demo.repository}` }).click();
    await page.getByText('You follow no repository yet').waitFor();
  });

  console.it('lists the sessions, and ends one or all of them', async (open) => {
    const optionsOf = () => console.demo.signInAs('many-browsers');
    const other = await open(`/sign-in/?return_to=${prefix}/account`, optionsOf());
    await other.getByRole('heading', { name: 'Sessions' }).waitFor();
    const page = await open(`/sign-in/?return_to=${prefix}/account`, optionsOf());
    const sessions = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    expect(await sessions.getByText('this browser').count()).to.equal(1);
    await expectFits(page);
    await expectAccessible(page);
    await sessions.filter({ hasNotText: 'this browser' }).getByRole('button', { name: 'Sign out the session' }).click();
    await page.getByText('The session was ended.').waitFor();
    expect(await sessions.count()).to.equal(1);
    await other.reload();
    await other.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).to.deep.equal([]);
  });

  console.it('creates an API key whose secret it shows once, and revokes it after a confirmation', async (open) => {
    const page = await open(`/sign-in/?return_to=${prefix}/account`, console.demo.signInAs('has-keys'));
    await page.getByText('You have no API key.').waitFor();
    await page.getByLabel('Name of a new key').fill('nightly report');
    await page.getByLabel('Days until it expires').fill('30');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('The key nightly report was created.').waitFor();
    const secret = (await page.getByRole('region', { name: 'Secret of the key' }).textContent()) ?? '';
    expect(secret).to.match(/^rik_[0-9a-f]{8}_[\w-]{43}$/);
    await page.getByRole('button', { name: 'Copy: Secret of the key' }).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    const statusOf = async () =>
      (await fetch(`${console.demo.service.url}/q/list-collections`, { headers: { 'X-API-Key': secret } })).status;
    expect(await statusOf()).to.equal(200);
    const readable = await page.evaluate(
      '[document.cookie, { ...localStorage }, { ...sessionStorage }, location.href]',
    );
    expect(JSON.stringify(readable)).to.not.include('rik_');
    const keys = page.getByRole('list', { name: 'Your API keys' }).getByRole('listitem');
    // The service stores the use after its answer.
    await eventually(async () => {
      await page.reload();
      await keys.getByText('nightly report').waitFor();
      return (await keys.getByText('Last used').count()) === 1;
    });
    expect(await page.content()).to.not.include(secret);
    await page.getByRole('button', { name: 'Revoke the key nightly report' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke the key nightly report' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await keys.count()).to.equal(1);
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key was revoked.').waitFor();
    expect(await keys.count()).to.equal(0);
    await eventually(async () => (await statusOf()) === 401);
  });

  console.it('downloads the data, and removes the account with the keyboard only', async (open) => {
    const page = await open(`/sign-in/?return_to=${prefix}/account`, console.demo.signInAs('removes-itself'));
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download my data' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).to.match(/^repo-insight-user-\d+\.json$/);
    const file = (await json(await download.createReadStream())) as { readonly user: { readonly hostLogin: string } };
    expect(file.user.hostLogin).to.equal('removes-itself');
    await page.getByRole('button', { name: 'Remove my account' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove my account' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Remove my account');
    await page.keyboard.press('Enter');
    await waitUntil(page, "document.activeElement.closest('dialog input') !== null");
    await page.keyboard.type('removes');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Enter exactly removes-itself.').waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.type('-itself');
    await page.keyboard.press('Enter');
    await page.getByText('Your account was removed.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).to.include('cannot sign in again');
    expect(await page.context().cookies()).to.deep.equal([]);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  console.it('navigates and loads its files under the prefix', async (open) => {
    const { proxy } = console.demo;
    const page = await open('/', options());
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Endpoints' }).click();
    await page.waitForURL(`${proxy.url}/e`);
    await page.goto(`${proxy.url}/e/list-collections`);
    await page.getByRole('table').first().waitFor();
    const hrefs = (await page.evaluate("[...document.querySelectorAll('a')].map(({ href }) => href)")) as string[];
    expect(hrefs.filter((href) => href.startsWith('http://127') && !href.startsWith(`${proxy.url}/`))).to.deep.equal(
      [],
    );
    expect(hrefs.filter((href) => href.startsWith(proxy.url)).length).to.be.above(3);
  });
}

/** Expects that scripts, the URL and the history do not contain a secret of the sign-in. */
async function expectNothingReadable(page: Page): Promise<void> {
  const readable = await page.evaluate('[document.cookie, { ...localStorage }, { ...sessionStorage }, location.href]');
  const [cookie, local, session, url] = readable as [string, Record<string, string>, Record<string, string>, string];
  expect(cookie).to.equal('');
  expect(url).to.not.match(/[?#]/);
  for (const text of [...Object.entries(local), ...Object.entries(session)].flat()) {
    expect(text).to.not.match(/eyJ|token|session|secret|ada/i);
  }
  const databases = await page.evaluate('indexedDB.databases().then((all) => all.length)');
  expect(databases).to.equal(0);
  const [own, ...others] = await page.context().cookies();
  expect(others).to.deep.equal([]);
  expect({ httpOnly: own?.httpOnly, sameSite: own?.sameSite }).to.deep.equal({ httpOnly: true, sameSite: 'Lax' });
}
