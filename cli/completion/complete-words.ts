import type { Argument, Command, Option } from 'commander';

/** The completions that a shell offers for the last word of a command line. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the word can also be a file path. */
  readonly acceptsFiles: boolean;
}

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Returns the values that currently exist for an argument, such as the names of endpoints. */
export type ListNames = (command: Command, argument: Argument) => Promise<readonly Candidate[]>;

/** Completes the last of the words after the program name. `root` is the top command of the program. */
export async function completeWords(
  root: Command,
  given: readonly string[],
  listNames: ListNames,
): Promise<Completion> {
  const words = joinEqualSigns(given);
  const last = words.at(-1) ?? '';
  const { command, operands, waiting, onlyOperands } = follow(root, words.slice(0, -1));
  if (waiting !== undefined) return completeValue(waiting, last, '');
  const [, long = '', value] = (!onlyOperands && /^(--[^=]+)=(.*)$/s.exec(last)) || [];
  if (value !== undefined) {
    const option = optionsOf(command).find((one) => one.long === long);
    return option === undefined ? NOTHING : completeValue(option, value, `${long}=`);
  }
  if (last.startsWith('-') && !onlyOperands) return starting(last, optionsOf(command).flatMap(namesOf));
  if (command.commands.length > 0) {
    const children = command.createHelp().visibleCommands(command);
    return starting(
      last,
      children.map((child) => ({ value: child.name(), description: child.description() })),
    );
  }
  const argument = command.registeredArguments.at(operands) ?? command.registeredArguments.at(-1);
  if (argument === undefined || (operands >= command.registeredArguments.length && !argument.variadic)) return NOTHING;
  const names = argument.argChoices?.map(toCandidate) ?? (await listNames(command, argument));
  return { ...starting(last, names), acceptsFiles: isPath(argument) };
}

const NOTHING: Completion = { candidates: [], acceptsFiles: false };

/** Whether an argument can be a path, according to its name or its help. For example, an endpoint can be specified by its file. */
function isPath(argument: Argument): boolean {
  return /\b(files?|folders?)\b/i.test(`${argument.name()} ${argument.description}`);
}

/** Joins the words `--fail-on`, `=` and `breaking`, into which Bash splits `--fail-on=breaking`. */
function joinEqualSigns(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const isSign = word === '=' && words[at - 1]?.startsWith('--') === true;
    if (!isSign) joined.push(word);
    else if (at === words.length - 1) joined.push('');
  }
  return joined;
}

/** Follows the complete words to their command. `waiting` is an option whose value is the next word. */
function follow(root: Command, words: readonly string[]) {
  let [command, operands, onlyOperands] = [root, 0, false];
  let waiting: Option | undefined;
  for (const word of words) {
    if (waiting !== undefined) {
      waiting = undefined;
    } else if (word === '--') {
      onlyOperands = true;
    } else if (word.startsWith('-') && !onlyOperands) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      waiting = option?.required === true ? option : undefined;
    } else {
      const child = command.commands.find((one) => one.name() === word);
      if (child === undefined) operands += 1;
      else command = child;
    }
  }
  return { command, operands, waiting, onlyOperands };
}

/** Returns the options of a command and of all its parent commands. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function namesOf({ long, description }: Option): Candidate[] {
  return long === undefined || long === null ? [] : [{ value: long, description }];
}

function completeValue({ argChoices = [], flags }: Option, start: string, prefix: string): Completion {
  const values = argChoices.filter((choice) => choice.startsWith(start));
  return {
    candidates: values.map((choice) => ({ value: `${prefix}${choice}`, description: '' })),
    acceptsFiles: /<(file|folder)>/.test(flags),
  };
}

function toCandidate(value: string): Candidate {
  return { value, description: '' };
}

function starting(start: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(start)), acceptsFiles: false };
}
