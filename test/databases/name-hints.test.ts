import { expect } from 'chai';
import { nameHint } from '../../engine/answers/prepare/name-hint.js';
import type { Database } from '../../engine/databases/interface/database.js';
import { onEveryDriver } from './drivers.js';
import { messageOf } from './failures.js';

const SOON = { timeoutMs: 600_000 };

onEveryDriver('messages about unknown names from', (driver) => {
  let database: Database;
  before(async () => {
    database = await driver.open({ connections: 1 });
    await driver.run('CREATE TABLE loaves (id BIGINT, weight INT, Baked_At DATETIME)');
    await driver.run('CREATE TABLE ovens (id BIGINT, degrees INT)');
  });
  after(() => database?.close());

  const hintOf = async (sql: string, ...read: string[]) => {
    const message = await messageOf(database.describe?.(database.prepare(sql), SOON) ?? Promise.resolve());
    return nameHint(message, new Set(read), (await database.listColumns?.(SOON)) ?? new Map());
  };

  it('list the columns of the tables', async () => {
    const listed = await database.listColumns?.(SOON);
    expect(listed?.get('loaves')).to.deep.equal(['id', 'weight', 'Baked_At']);
    expect(listed?.get('ovens')).to.deep.equal(['id', 'degrees']);
  });

  const hints: readonly (readonly [sql: string, read: readonly string[], hint: string])[] = [
    ['SELECT id FROM loafes', ['loafes'], ' (did you mean "loaves"?)'],
    ['SELECT o.id FROM loaves l JOIN ovns o ON o.id = l.id', ['loaves', 'ovns'], ' (did you mean "ovens"?)'],
    ['SELECT wieght FROM loaves', ['loaves'], ' (did you mean "weight"?)'],
    ['SELECT l.wieght FROM loaves l', ['loaves'], ' (did you mean "weight"?)'],
    ['SELECT id FROM loaves ORDER BY baked_on', ['loaves'], ' (did you mean "Baked_At"?)'],
    ['SELECT id FROM loaves WHERE degres > 1', ['loaves'], ''],
    ['SELECT o.id FROM loaves l, ovens o WHERE degres > 1', ['loaves', 'ovens'], ' (did you mean "degrees"?)'],
    ['SELECT id FROM customers', ['customers'], ''],
    ['SELECT id FROM loaves l, ovens o', ['loaves', 'ovens'], ''],
  ];
  for (const [sql, read, hint] of hints) {
    it(`suggest ${hint === '' ? 'no name' : 'the most similar name'}: ${sql}`, async () => {
      expect(await hintOf(sql, ...read)).to.equal(hint);
    });
  }
});
