import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import stringWidth from 'string-width';
import { changeableUsers } from '../../cli/commands/user/one-user.js';
import { Output } from '../../cli/terminal/output.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, NOW } from '../service/demo-data.js';
import { TRENDS } from '../service/few-endpoints.js';
import { createTerminal } from './command-line.js';
import { runHere } from './commands-here.js';

/**
 * All commands that print a table or a list, with options for the most columns. `endpoint explain` is not included, because it prints
 * DuckDB's plan unchanged.
 */
const COMMANDS = [
  'endpoint run list-trending-repos',
  'endpoint test --fixtures list-trending-repos',
  'endpoint columns list-trending-repos',
  'data status --days 5',
  'data table list',
  'tables',
  'tables github_events',
  'user list --email',
  'user audit',
  'config',
];

describe('a terminal of 80 columns', () => {
  let folder: string;
  let warehouse: Warehouse;
  let settings: ReturnType<typeof readSettings>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-narrow-'));
    settings = readSettings({ DATA_DIR: folder, NOW, ENDPOINTS_DIR: TRENDS });
    await copyDemo(settings, { events: 500 });
    warehouse = await openWarehouse(settings, { migrating: false });
    const account = {
      provider: 'https://accounts.example.org/realms/everyone',
      accountId: '1234567890',
      login: 'someone-with-a-very-long-login-name',
      name: 'Ünïcödé 名前',
      email: 'someone.with.a.long.address@mail.example.org',
      avatarUrl: '',
      profileAt: new Date(NOW),
    };
    const users = await changeableUsers({ settings, warehouse: async () => warehouse });
    await users.signIn(account, new Date(NOW));
  });
  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  for (const command of COMMANDS) {
    it(`shows ${command}`, async () => {
      const words = command.split(' ');
      const narrow = await runHere(words, settings, warehouse, { columns: 80 });
      expect(narrow.code, narrow.err).to.be.oneOf([0, 1]);
      expect(narrow.out.split('\n').filter((line) => stringWidth(line) > 80)).to.deep.equal([]);
      const complete = await runHere(words, settings, warehouse);
      const isShortened = /To fit the terminal, .*Use --wide/.test(narrow.err);
      expect(complete.err).to.not.include('--wide');
      // Columns with sentences must not be hidden, because they are the purpose of these tables.
      expect(narrow.err).to.not.match(/hidden: .*(summary|meaning|detail)/);
      // Wrapped texts still contain the same words.
      if (!isShortened && !command.includes(' test '))
        expect(wordsOf(narrow.out)).to.have.members(wordsOf(complete.out));
    });
  }

  it('hides the least important columns, says which, and --wide prints them', async () => {
    const words = ['endpoint', 'list'];
    const all = readSettings({ DATA_DIR: folder, NOW });
    const narrow = await runHere(words, all, warehouse, { columns: 80 });
    expect(narrow.out.split('\n').filter((line) => stringWidth(line) > 80)).to.deep.equal([]);
    expect(narrow.err).to.equal(
      'To fit the terminal, these columns are hidden: path. Use --wide to print everything.\n',
    );
    expect(narrow.out)
      .to.match(/│ list-trending-repos +│ Trending/)
      .and.to.not.include('/v1/');
    const piped = await runHere(words, settings, warehouse);
    expect(piped.out).to.match(/│ list-trending-repos +│ \/v1\/trends\/repos\/ +│/);
    expect(piped.err).to.equal('');
  });
});

function wordsOf(text: string): string[] {
  return text.split(/[\s│┌┐└┘├┤┬┴┼─]+/).filter((word) => word !== '');
}

describe('a table', () => {
  const head = ['id', 'name', 'note', 'share'];
  const rows = [
    [7, '名前の長いリポジトリ', 'a sentence of several words that is wrapped', '1.5 %'],
    [1_234, 'line\nbreak \u001b[31mred\u202e', '', '12.25 %'],
  ];
  const print = (columns: number | undefined) => {
    const terminal = createTerminal({ columns });
    new Output(terminal).table(head, rows, { prose: ['note'] });
    return terminal.texts();
  };

  it('aligns numbers to the right, measures wide characters, and makes control characters visible', () => {
    expect(print(undefined)).to.deep.equal({
      out: `┌──────┬────────────────────────────────┬─────────────────────────────────────────────┬─────────┐
│   id │ name                           │ note                                        │   share │
├──────┼────────────────────────────────┼─────────────────────────────────────────────┼─────────┤
│    7 │ 名前の長いリポジトリ           │ a sentence of several words that is wrapped │   1.5 % │
│ 1234 │ line↵break \\u001b[31mred\\u202e │                                             │ 12.25 % │
└──────┴────────────────────────────────┴─────────────────────────────────────────────┴─────────┘
`,
      err: '',
    });
  });

  it('wraps sentences, shortens other texts, and never shortens a number', () => {
    expect(print(70)).to.deep.equal({
      out: `┌──────┬─────────────────────────┬─────────────────────────┬─────────┐
│   id │ name                    │ note                    │   share │
├──────┼─────────────────────────┼─────────────────────────┼─────────┤
│    7 │ 名前の長いリポジトリ    │ a sentence of several   │   1.5 % │
│      │                         │ words that is wrapped   │         │
│ 1234 │ line↵break \\u001b[31mr… │                         │ 12.25 % │
└──────┴─────────────────────────┴─────────────────────────┴─────────┘
`,
      err: 'To fit the terminal, values that end with … are shortened. Use --wide to print everything.\n',
    });
  });

  it('fits every width, however narrow', () => {
    for (let columns = 12; columns < 100; columns += 1) {
      const { out, err } = print(columns);
      expect(Math.max(...out.split('\n').map(stringWidth)), out).to.be.at.most(columns);
      expect(out.includes('…') || !out.includes('share'), out).to.equal(err !== '');
    }
  });
});
