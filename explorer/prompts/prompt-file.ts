import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Liquid, type Template } from 'liquidjs';
import { SOURCE_FOLDER } from '../../warehouse/rules/data-files.js';

/** The prompt files in this folder. `answer` and `repair` have the same instructions. */
export type PromptName = 'answer' | 'repair' | 'recommend';

/** The two texts of a request to a model. */
export interface PromptTexts {
  /** The instructions. The instructions are the same for all questions, so that a server can cache them. */
  readonly system: string;
  readonly user: string;
}

/** A prompt from a file. `version` must be changed with every change of its meaning, so that answers of two versions can be compared. */
export interface Prompt {
  readonly name: PromptName;
  readonly version: number;
  /** Fills the placeholders. Throws if a placeholder in the file has no value. */
  render(values: Readonly<Record<string, string | number>>): PromptTexts;
}

/**
 * Reads `explorer/prompts/<name>.md`: front matter, the instructions and the request. The front matter can refer to another file, whose
 * instructions are then used.
 */
export function readPrompt(name: PromptName): Prompt {
  const { header, instructions, request } = readParts(name);
  const system = liquid.parse(
    header.instructions === undefined ? instructions : readParts(header.instructions).instructions,
  );
  const user = liquid.parse(request);
  return {
    name,
    version: header.version,
    render: (values) => ({ system: renderWith(system, values), user: renderWith(user, values) }),
  };
}

/** Values are inserted unchanged: braces in a value are never treated as a placeholder. */
const liquid = new Liquid({ strictVariables: true, strictFilters: true, ownPropertyOnly: true });

interface PromptHeader {
  readonly name: PromptName;
  readonly version: number;
  readonly instructions?: PromptName;
}

function readParts(name: PromptName) {
  const text = readFileSync(join(SOURCE_FOLDER, `explorer/prompts/${name}.md`), 'utf8');
  const [, front = '', instructions = '', request = ''] =
    /^---\n(.*?)\n---\n(?:# Instructions\n(.*?)\n)?# Request\n(.*)$/s.exec(text) ?? [];
  return { header: load(front) as PromptHeader, instructions: instructions.trim(), request: request.trim() };
}

function renderWith(template: Template[], values: Readonly<Record<string, string | number>>): string {
  return String(liquid.renderSync(template, values));
}
