import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { STATUS_OF_ERROR } from '../engine/http/problems/error-answers.js';
import { PROBLEMS } from '../engine/http/problems/http-problem.js';
import { SETTINGS } from '../server/settings/settings.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the cells of each row of the tables in a Markdown text, without the header rows. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

describe('the documents', () => {
  it('list every setting with its form, default, meaning and purpose', () => {
    const listed = tableRows(read('docs/configuration.md'));
    const settings = Object.values(SETTINGS).map(({ name, form, defaultText, help, when }) => [
      `\`${name}\``,
      form,
      defaultText === undefined ? '' : `\`${defaultText}\``,
      help,
      when,
    ]);
    expect(listed).to.deep.equal(settings);
  });

  it('list every error code with its status', () => {
    const listed = tableRows(read('docs/errors.md'))
      .filter(([, status = '']) => /^\d{3}$/.test(status))
      .map(([code = '', status]) => [code.replaceAll('`', ''), Number(status)]);
    expect(Object.fromEntries(listed)).to.deep.equal({ ...STATUS_OF_ERROR, ...PROBLEMS });
  });

  it('list every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const text = read('docs/dependencies.md');
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    expect(names.filter((name) => !new RegExp(`^\\|.*(^|[ ,|])${name}[ ,]`, 'm').test(text))).to.deep.equal([]);
  });
});
