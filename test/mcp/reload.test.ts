import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { createOwnFolder, type OwnFolder, versionOf } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { call, connectHttp } from './mcp-client.js';

describe('the tools after a reload of the definitions', () => {
  let demo: DemoService;
  let own: OwnFolder;
  let client: Client;
  before(async () => {
    own = await createOwnFolder();
    await own.write('one.yaml', versionOf('one', 1));
    demo = await startDemoService({ ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own.path}` });
    client = await connectHttp(demo);
  });
  after(async () => {
    await client?.close();
    await demo?.close();
    await own.close();
  });

  const titles = async () => {
    const { tools } = await client.listTools();
    return tools.filter(({ name }) => ['one', 'two'].includes(name)).map(({ name, title }) => `${name}: ${title}`);
  };
  const rows = async (name: string) => (await call(client, name)).content.rows;

  it('are those of the current files, without a new connection', async () => {
    expect([await titles(), await rows('one')]).to.deep.equal([['one: Version 1'], [{ version: 1, again: 1 }]]);
    await own.write('one.yaml', versionOf('one', 2));
    await own.write('two.yaml', versionOf('two', 1));
    await demo.service.definitions.reload();
    expect(await titles()).to.have.members(['one: Version 2', 'two: Version 1']);
    expect([await rows('one'), await rows('two')]).to.deep.equal([
      [{ version: 2, again: 2 }],
      [{ version: 1, again: 1 }],
    ]);
    await own.remove('two.yaml');
    await demo.service.definitions.reload();
    expect(await titles()).to.deep.equal(['one: Version 2']);
    const unknown = await call(client, 'two').catch((error: unknown) => error);
    expect(unknown)
      .to.have.property('message')
      .that.matches(/^There is no tool "two"/);
  });

  it('answer with the last good version of a broken file, and say so', async () => {
    await own.write('one.yaml', versionOf('one', 3).replace('SELECT', 'SELEKT'));
    await demo.service.definitions.reload();
    const { content, text } = await call(client, 'one');
    expect(content.rows).to.deep.equal([{ version: 2, again: 2 }]);
    expect(content.notices).to.have.length(1);
    expect(String(content.notices)).to.match(
      /^The file of this definition has problems since \S+Z; an earlier version of the file answers\.$/,
    );
    expect(text).to.include('Notice: The file of this definition has problems');
  });
});
