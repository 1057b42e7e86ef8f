import { expect } from 'chai';
import { isColoured } from '../../cli/terminal/colours.js';
import { applyDisplayOptions } from '../../cli/terminal/terminal.js';
import { createTerminal, run, runProcess } from './command-line.js';

const ESCAPE = '\u001b[';

describe('colours of the command line', () => {
  it('are for terminals, unless a variable of the environment says otherwise', () => {
    const cases: [isTerminal: boolean, environment: Record<string, string>, expected: boolean][] = [
      [true, {}, true],
      [false, {}, false],
      [true, { NO_COLOR: '1' }, false],
      [true, { NO_COLOR: '' }, true],
      [true, { TERM: 'dumb' }, false],
      [false, { FORCE_COLOR: '1' }, true],
      [false, { FORCE_COLOR: '' }, true],
      [true, { FORCE_COLOR: '0' }, false],
      [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
      [false, { CI: 'true' }, false],
    ];
    expect(cases.map(([isTerminal, environment]) => isColoured(isTerminal, environment))).to.deep.equal(
      cases.map(([, , expected]) => expected),
    );
  });

  it('follow the last option of the command line, but not a word after --', () => {
    const terminal = createTerminal({ columns: 80 });
    const apply = (...words: string[]) => {
      const { columns, colour } = applyDisplayOptions(terminal, words);
      return [columns, colour.out, colour.err];
    };
    expect(apply('endpoint', 'list')).to.deep.equal([80, false, false]);
    expect(apply('endpoint', 'list', '--color', '--wide')).to.deep.equal([undefined, true, true]);
    expect(apply('--color', 'endpoint', '--no-color')).to.deep.equal([80, false, false]);
    expect(apply('complete', '--', '--color', '--wide')).to.deep.equal([80, false, false]);
  });

  it('mark errors red on the stream that is a terminal', async () => {
    const words = ['config', 'NO_SUCH_SETTING'];
    const message = '"NO_SUCH_SETTING" is not a setting; `repo-insight config` shows all settings.';
    const coloured = await run(words, { terminal: { colour: { out: false, err: true } } });
    expect(coloured).to.deep.equal({ code: 2, out: '', err: `${ESCAPE}31m${message}${ESCAPE}39m\n` });
    expect((await run(words)).err).to.equal(`${message}\n`);
    const usage = await run(['config', '--nothing', '--color']);
    expect(usage.err.startsWith(`${ESCAPE}31merror: unknown option '--nothing'`), usage.err).to.equal(true);
  });

  it('mark the head of tables, and never JSON', async () => {
    expect((await run(['config', 'PORT', '--color'])).out).to.include(`${ESCAPE}1msetting${ESCAPE}22m`);
    expect((await run(['config', 'PORT', '--json', '--color'])).out).to.not.include(ESCAPE);
  });

  it('are not in the pipes of a process', async () => {
    const { code, out, err } = await runProcess(['config', 'PORT', 'HOST']);
    expect([code, err]).to.deep.equal([0, '']);
    expect(out)
      .to.match(/│ PORT +│ +3450 │|│ PORT +│ 3450/)
      .and.to.not.include(ESCAPE);
    const failed = await runProcess(['config', 'NO_SUCH_SETTING']);
    expect(failed.err).to.not.include(ESCAPE);
    const forced = await runProcess(['config', 'NO_SUCH_SETTING'], { environment: { FORCE_COLOR: '1' } });
    expect(forced.err).to.include(ESCAPE);
  });
});
