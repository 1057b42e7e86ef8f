import { expect } from 'chai';
import { NOW } from '../service/demo-data.js';
import { createUsers } from '../service/demo-service.js';
import { expectAccessible, expectFits } from './accessibility.js';
import { completePage } from './complete-page.js';
import { useConsoleService } from './console-service.js';

describe('the operator page of the console', () => {
  const console = useConsoleService();
  const signIn = '/sign-in/?return_to=/operator';
  const options = () => console.demo.signInAs('olga');
  const setTrusted = async (isTrusted: boolean) => {
    const users = createUsers(console.demo.database, console.demo.state);
    const [user] = await users.findByLogin('olga');
    await users.setTrusted(user?.id ?? 0, isTrusted, new Date(NOW));
  };

  console.it('says who may see it', async (open) => {
    const page = await open('/operator', options());
    await page.getByText('Sign in to see the state of the service.').waitFor();
    await page.goto(console.demo.proxy.url + signIn);
    await page.getByText('Only trusted users see the state of the service').waitFor();
    await page.getByText('repo-insight user trust olga').waitFor();
  });

  console.it('shows imports, queries, cache and definitions, fits, and is accessible', async (open) => {
    await (await open(signIn, options())).getByRole('heading', { name: 'Operator' }).waitFor();
    await setTrusted(true);
    await console.demo.get('/q/list-collections');
    const page = await open(signIn, options());
    await page.getByRole('region', { name: 'Newest files' }).getByRole('row').nth(1).waitFor();
    await page
      .getByRole('region', { name: 'Slowest endpoints' })
      .getByRole('link', { name: /^[a-z]+-[a-z-]+$/ })
      .first()
      .waitFor();
    await page.getByText(/Read \d+ seconds? ago/).waitFor();
    for (const title of ['Service', 'Imports', 'Queries', 'Cache', 'API keys', 'Definitions']) {
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    }
    await completePage(page);
    await expectFits(page);
    await expectAccessible(page);
    await setTrusted(false);
  });

  console.it('shows a failed read with the age of the previous state', async (open) => {
    await (await open(signIn, options())).getByRole('heading', { name: 'Operator' }).waitFor();
    await setTrusted(true);
    const page = await open(signIn, { ...options(), expected: /console\/operator|403|Failed to load/ });
    await page.getByRole('region', { name: 'Newest files' }).waitFor();
    await setTrusted(false);
    await page
      .getByRole('alert')
      .getByText(/status 403/)
      .waitFor();
    await page.getByText(/Read \d+ seconds? ago/).waitFor();
    expect(await page.getByRole('region', { name: 'Newest files' }).count()).to.equal(1);
  });
});
