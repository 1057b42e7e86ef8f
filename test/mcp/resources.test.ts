import { expect } from 'chai';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { useSharedDemo } from '../service/demo-service.js';
import { connectHttp, VERSIONS } from './mcp-client.js';

describe('the resources of the Model Context Protocol', () => {
  const shared = useSharedDemo();

  for (const version of VERSIONS) {
    it(`are the public tables with their columns (${version})`, async () => {
      const client = await connectHttp(shared.demo, version);
      const { resources } = await client.listResources();
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal(['repo-insight://tables/{table}']);
      expect(resources.map(({ name }) => name)).to.deep.equal(['coverage', ...TABLE_REFERENCE.keys()]);
      for (const { uri, name, description } of resources.slice(1)) {
        const { contents } = await client.readResource({ uri });
        const columns = [...(TABLE_REFERENCE.get(name)?.columns ?? [])];
        const [{ text } = { text: '' }] = contents as { text: string }[];
        expect(JSON.parse(text), name).to.deep.include({
          table: name,
          description,
          columns: columns.map(([column, it]) => ({ name: column, type: it.type, description: it.description })),
        });
      }
      await client.close();
    });
  }

  it('contain the coverage of the data', async () => {
    const client = await connectHttp(shared.demo);
    const { contents } = await client.readResource({ uri: 'repo-insight://coverage' });
    await client.close();
    const [{ text } = { text: '' }] = contents as { text: string }[];
    const { types } = JSON.parse(text) as { types: { type: string; events: number }[] };
    const { database } = shared.demo;
    const query = database.prepare('SELECT type, COUNT(*) FROM github_events GROUP BY type ORDER BY type');
    const { rows } = await database.query(query, [], { maxRows: 100, timeoutMs: 5_000 });
    expect(types.map(({ type, events }) => [type, events])).to.deep.equal(rows.map(([type, n]) => [type, Number(n)]));
  });

  it('that do not exist are errors with a suggestion', async () => {
    const client = await connectHttp(shared.demo);
    const errorOf = (uri: string) =>
      client.readResource({ uri }).then(
        () => 'read',
        (error: Error) => error.message,
      );
    expect(await errorOf('repo-insight://tables/github_event')).to.equal(
      'There is no resource "repo-insight://tables/github_event" (did you mean "github_events"?); resources/list names all resources.',
    );
    expect(await errorOf('repo-insight://tables/users')).to.match(/^There is no resource/);
    expect(await errorOf('file:///etc/passwd')).to.match(/^There is no resource "file:\/\/\/etc\/passwd"/);
    await client.close();
  });
});
