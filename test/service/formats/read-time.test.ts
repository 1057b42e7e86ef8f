import { expect } from 'chai';
import { readTime } from '../../../engine/http/formats/read-time.js';

describe('times of Arrow', () => {
  it('are those of ISO 8601 for every day of a month, and before 1970', () => {
    const wrong: string[] = [];
    for (const year of ['0001', '0099', '0100', '1900', '1969', '1970', '2024', '2100', '9999']) {
      for (let day = 0; day < 366; day += 1) {
        const date = new Date(Date.parse(`${year}-01-01T00:00:00Z`) + day * 86_400_000 + day * 12_345_000);
        const iso = date.toISOString();
        if (!iso.startsWith(year)) continue;
        const text = iso.slice(0, 19).replace('T', ' ');
        if (readTime(text, 'at') !== Date.parse(`${iso.slice(0, 19)}Z`)) wrong.push(text);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(readTime('2024-01-01 00:00:00.5', 'at')).to.equal(Date.parse('2024-01-01T00:00:00.500Z'));
  });

  it('are rejected if they do not exist', () => {
    for (const text of [
      '0000-00-00 00:00:00',
      '2024-13-01 00:00:00',
      '2024-01-01 24:00:01',
      '2024-01-01 0x:00:00',
      'soon',
    ]) {
      expect(() => readTime(text, 'at')).to.throw(TypeError, `column at has a time that does not exist: ${text}`);
    }
  });
});
