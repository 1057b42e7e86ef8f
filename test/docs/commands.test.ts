import { expect } from 'chai';
import type { Command } from 'commander';
import { EXAMPLES } from '../../cli/examples.js';
import { createProgram } from '../../cli/program.js';
import type { CommandContext } from '../../cli/terminal/command-context.js';
import { DISPLAY_OPTIONS } from '../../cli/terminal/terminal.js';
import { codeSpansIn, DOCUMENTS, readDocument } from './documents.js';

const PAGE = 'docs/commands.md';

describe('the commands in the documents', () => {
  // A context without members is enough, because the commands are declared but not run.
  const commands = leavesOf(createProgram({ settings: {} } as CommandContext));

  it(`are all in ${PAGE}, with all their options`, () => {
    const rows = [...readDocument(PAGE).matchAll(/^\| `([^`]+)` \|(.*)$/gm)];
    const documented = rows.map(([, command = '', rest = '']) => [command, optionsIn(rest)]);
    expect(Object.fromEntries(documented)).to.deep.equal(Object.fromEntries(commands));
  });

  it('have examples in their help, with options that exist', () => {
    expect(Object.keys(EXAMPLES).sort()).to.deep.equal([...commands.keys()].map(withoutProgram).sort());
    const problems = Object.entries(EXAMPLES).flatMap(([name, lines]) =>
      lines.flatMap((line) => [
        ...(line.startsWith(name) ? [] : [`not an example of ${name}: ${line}`]),
        ...problemsOf(`repo-insight ${line}`, commands),
      ]),
    );
    expect(problems).to.deep.equal([]);
  });

  it('exist wherever a document names one', () => {
    const unknown = DOCUMENTS.flatMap((document) =>
      commandLinesIn(document).flatMap((line) =>
        problemsOf(line, commands).map((problem) => `${document}: ${problem}`),
      ),
    );
    expect(unknown).to.deep.equal([]);
  });
});

/** The options that all commands have. */
const DISPLAY = Object.values(DISPLAY_OPTIONS).map(({ flags }): string => flags);

/** Returns the long names of the options of each command, by full command name. Groups of commands are omitted. */
function leavesOf(command: Command, parent = ''): Map<string, string[]> {
  const name = `${parent} ${command.name()}`.trim();
  const visible = command.createHelp().visibleCommands(command);
  const children = command.commands.filter((child) => visible.includes(child));
  if (children.length > 0) return new Map(children.flatMap((child) => [...leavesOf(child, name)]));
  return new Map([[name, command.options.map(({ long }) => String(long)).sort()]]);
}

function optionsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/`(--[a-z][a-z0-9-]*)/g)].map(([, option = '']) => option))].sort();
}

/** Returns the command lines in code blocks and code spans, all with the name of the program. */
function commandLinesIn(document: string): string[] {
  const blocks = [...readDocument(document).matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)];
  const lines = blocks.filter(([, language]) => language === '').flatMap(([, , code = '']) => code.split('\n'));
  return [
    ...lines.flatMap((line) => /(?:^|\s|\()(?:repo-insight|endpoint) [a-z][^#)]*/.exec(line)?.[0] ?? []),
    ...codeSpansIn(document).filter((code) => /^(?:npx )?(?:repo-insight|data|endpoint|user) [a-z]/.test(code)),
  ].map((line) => `repo-insight ${line.trim().replace(/^[( ]?(npx )?(repo-insight )?/, '')}`);
}

function problemsOf(line: string, commands: ReadonlyMap<string, readonly string[]>): string[] {
  const found = [...commands].find(([name]) => `${line} `.startsWith(`${name} `));
  if (found === undefined) return isGroup(line, commands) ? [] : [`unknown command: ${line}`];
  const options = [...line.matchAll(/(--[a-z][a-z0-9-]*)/g)].map(([option]) => option);
  return options
    .filter((option) => !found[1].includes(option) && !DISPLAY.includes(option))
    .map((option) => `unknown option ${option}: ${line}`);
}

function withoutProgram(name: string): string {
  return name.replace('repo-insight ', '');
}

/** Whether a line refers to a group of commands, such as `repo-insight data …`. */
function isGroup(line: string, commands: ReadonlyMap<string, readonly string[]>): boolean {
  return [...commands.keys()].some((name) => name.startsWith(line.replace('…', '')));
}
