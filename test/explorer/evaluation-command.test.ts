import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const COMMAND = fileURLToPath(new URL('../../bench/evaluation/run.js', import.meta.url));

describe('npm run eval:explorer', () => {
  it('lists its options with --help', () => {
    const { status, stdout } = run('--help');
    expect(status).to.equal(0);
    for (const option of ['--engine', '--set', '--data', '--timeout', '--json']) expect(stdout).to.contain(option);
  });

  it('ends with exit code 2 and the allowed values for wrong options', () => {
    const wrong = [['--set', 'all-of-them'], ['--engine', 'oracle'], ['--timeout', '0'], ['--speed'], ['tuning']];
    const answers = wrong.map((options) => run(...options));
    expect(answers.map(({ status }) => status)).to.deep.equal([2, 2, 2, 2, 2]);
    expect(answers.map(({ stdout }) => stdout)).to.deep.equal(['', '', '', '', '']);
    const [set, engine, timeout, option, extra] = answers.map(({ stderr }) => stderr);
    expect(set).to.match(/Allowed choices are tuning, held-out, visitors-tuning, visitors-held-out, all/);
    expect(engine).to.match(/Allowed choices are catalogue, model/);
    expect(timeout).to.equal('--timeout: expected 1 to 3600 seconds, got 0\n');
    expect(option).to.match(/unknown option '--speed'/);
    expect(extra).to.match(/too many arguments/);
  });

  function run(...options: string[]) {
    return spawnSync(process.execPath, ['--liftoff-only', COMMAND, ...options], { encoding: 'utf8' });
  }
});
