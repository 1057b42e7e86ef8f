import { expect } from 'chai';
import type { ConsoleSearch } from '../../app-routes/console/answers.js';
import { onBothDatabases } from '../services/mysql.js';
import { type DemoService, startDemoService } from './demo-service.js';

onBothDatabases('the search of the console', searchAnswers);

function searchAnswers(database: () => Record<string, string>): void {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService(database());
    await demo.store.write(async (tables) => {
      await tables.insertRows('collections', [
        [997, 'Search Zebra', 1],
        [998, 'zebra %_ search', 1],
        [999, 'zebra hidden', 0],
      ]);
    });
  });
  after(() => demo?.close());

  const search = async (text: string) => {
    const response = await demo.get(`/console/search/?${new URLSearchParams({ q: text })}`);
    expect(response.status, text).to.equal(200);
    return (await response.json()) as ConsoleSearch;
  };

  it('finds repositories by their full name and by the beginning of their owner', async () => {
    const exact = await search(demo.repository.toUpperCase());
    expect(exact.repositories[0]?.fullName).to.equal(demo.repository);
    expect({ ...exact, repositories: [] }).to.deep.equal(NOTHING);
    const [owner = ''] = demo.repository.split('/');
    const { repositories } = await search(`${owner}/`);
    expect(repositories.map(({ fullName }) => fullName)).to.include(demo.repository);
    expect(repositories.every(({ fullName }) => fullName.startsWith(`${owner}/`))).to.equal(true);
  });

  it('finds the same people and organizations as the lookups', async () => {
    const found = await search('a');
    const lookUp = async (kind: string) => {
      const response = await demo.get(`/gh/${kind}/search/?keyword=a`);
      return ((await response.json()) as { readonly data: readonly { login: string }[] }).data;
    };
    expect(found.people).to.deep.equal(await lookUp('users'));
    expect(found.people).to.have.length(10);
    expect(found.organizations).to.deep.equal(await lookUp('organizations'));
  });

  it('finds public collections; those that begin with the text come first', async () => {
    const zebras = [
      { id: 998, name: 'zebra %_ search' },
      { id: 997, name: 'Search Zebra' },
    ];
    expect(await search(' Zebra ')).to.deep.equal({ ...NOTHING, collections: zebras });
    expect(await search('%_')).to.deep.equal({ ...NOTHING, collections: zebras.slice(0, 1) });
  });

  it('finds nothing for a text that no name contains, and rejects an empty text', async () => {
    expect(await search("'; SELECT 1 -- \\")).to.deep.equal(NOTHING);
    for (const path of [
      '/console/search/',
      '/console/search/?q=',
      '/console/search/?q=%20',
      '/console/search/?q=a&x=1',
    ]) {
      expect((await demo.get(path)).status, path).to.equal(400);
    }
  });
}

const NOTHING: ConsoleSearch = { repositories: [], people: [], organizations: [], collections: [] };
